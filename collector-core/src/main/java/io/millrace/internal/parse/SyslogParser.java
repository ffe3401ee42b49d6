package io.millrace.internal.parse;

import io.millrace.internal.parse.time.TimeReader;
import io.millrace.message.Kind;
import io.millrace.message.SyslogMessage.Field;
import java.time.ZoneId;

/**
 * Parser of syslog messages: RFC 5424 if a version follows the PRI, else GELF, else RFC 3164 and its variants, else raw. It throws no exception for any message, and allocates nothing, except for local times in the hour in which clocks change. One
 * thread.
 */
public final class SyslogParser {
    private static final int MAX_PRIORITY = 191;
    private static final int MAX_PRIORITY_DIGITS = 3;
    private static final int MAX_COUNT_DIGITS = 5;

    private final Rfc5424Header rfc5424;
    private final LegacyHeader legacy;
    private final BodyReader bodies;
    private final GelfReader gelf;

    /**
     * Creates a parser.
     *
     * @param zone the time zone of timestamps without one
     */
    public SyslogParser(ZoneId zone) {
        TimeReader times = new TimeReader(zone);
        bodies = new BodyReader(times);
        rfc5424 = new Rfc5424Header(times);
        legacy = new LegacyHeader(times, bodies);
        gelf = new GelfReader(times);
    }

    /**
     * Parses a message.
     *
     * @param bytes the array that contains the message
     * @param begin its beginning
     * @param end its end, exclusive
     * @param receiveTimeNs its receive time in ns since the epoch, which determines the year of a timestamp without one
     * @param message the result, which refers to the same bytes
     * @return the detected format
     */
    public Kind parse(byte[] bytes, int begin, int end, long receiveTimeNs, ParsedMessage message) {
        message.reset(bytes);
        int last = trimmed(bytes, begin, end);
        int start = afterOctetCount(bytes, begin, last, end);
        int pos = priority(bytes, start, last, message);
        if (message.priority >= 0 && rfc5424.read(bytes, pos, last, message)) {
            message.kind = Kind.RFC5424;
        } else if (others(bytes, pos, last, receiveTimeNs, message)) {
            return message.kind;
        }
        bodies.look(message);
        return message.kind;
    }

    /** Parses what is not RFC 5424; true for GELF, whose body is known. */
    private boolean others(byte[] bytes, int begin, int last, long receiveTimeNs, ParsedMessage message) {
        boolean marked = Ascii.isByteOrderMark(bytes, begin, last);
        int pos = marked ? begin + Ascii.BYTE_ORDER_MARK_LENGTH : begin;
        if (message.priority < 0) {
            if (marked) {
                pos = priority(bytes, pos, last, message);
            }
            if (message.priority < 0 && gelf.read(bytes, pos, last, message)) {
                return true;
            }
        }
        if (marked || (pos < last && bytes[pos] == 'O')) {
            prefixed(bytes, pos, last, receiveTimeNs, message);
        } else {
            legacy.read(bytes, pos, last, receiveTimeNs, message);
        }
        return false;
    }

    /** Parses the header after a byte order mark, or after the address that a relay puts there. */
    private void prefixed(byte[] bytes, int begin, int last, long receiveTimeNs, ParsedMessage message) {
        int pos = message.priority < 0 ? begin : RelayHeader.originalEnd(bytes, begin, last);
        if (message.priority >= 0 && rfc5424.read(bytes, pos, last, message)) {
            message.kind = Kind.RFC5424;
        } else {
            legacy.read(bytes, pos, last, receiveTimeNs, message);
        }
        if (pos > begin) {
            RelayHeader.setOriginal(begin, message, last);
        }
    }

    /** The end of a range without the line feeds, carriage returns and NULs at its end. */
    private static int trimmed(byte[] b, int begin, int end) {
        int last = end;
        while (last > begin && (b[last - 1] == '\n' || b[last - 1] == '\r' || b[last - 1] == 0)) {
            last--;
        }
        return last;
    }

    /** Some senders keep RFC 6587's octet count in datagrams. It is recognised only if it matches the length. */
    private static int afterOctetCount(byte[] b, int begin, int last, int end) {
        int pos = begin;
        int count = 0;
        while (pos < last && pos - begin < MAX_COUNT_DIGITS && b[pos] >= '0' && b[pos] <= '9') {
            count = count * 10 + b[pos] - '0';
            pos++;
        }
        boolean counted = pos > begin && pos + 1 < last && b[pos] == ' ' && b[pos + 1] == '<';
        int length = end - pos - 1;
        return counted && count <= length && count >= last - pos - 1 ? pos + 1 : begin;
    }

    /** Parses {@code <PRI>}, up to 191; returns the position after it, or its beginning if there is none. */
    private static int priority(byte[] b, int begin, int end, ParsedMessage message) {
        int pos = begin + 1;
        if (begin >= end || b[begin] != '<') {
            return begin;
        }
        int value = 0;
        while (pos < end && pos - begin <= MAX_PRIORITY_DIGITS && b[pos] >= '0' && b[pos] <= '9') {
            value = value * 10 + b[pos] - '0';
            pos++;
        }
        if (pos == begin + 1 || pos >= end || b[pos] != '>' || value > MAX_PRIORITY) {
            return begin;
        }
        message.priority = value;
        message.kind = Kind.RFC3164;
        return pos + 1;
    }

    /** Sets a field to a range, without the spaces around it. */
    static void setTrimmed(ParsedMessage message, Field field, int begin, int end) {
        byte[] b = message.bytes;
        int from = begin;
        int to = end;
        while (from < to && b[from] == ' ') {
            from++;
        }
        while (to > from && b[to - 1] == ' ') {
            to--;
        }
        message.set(field, from, to);
    }
}
