package io.millrace.parse;

import io.millrace.parse.SyslogMessage.Field;
import java.time.ZoneId;

/**
 * Understands syslog messages, as far as they can be: RFC 5424 if a version follows the PRI, else RFC 3164 and what
 * devices make of it, else raw. It never throws for what is in a message, and allocates nothing, but where a
 * local time lies in the hour in which clocks change. One thread.
 */
public final class SyslogParser {
    private static final int MAX_PRIORITY = 191;
    private static final int MAX_PRIORITY_DIGITS = 3;
    private static final int MAX_COUNT_DIGITS = 5;

    private final Rfc5424Header rfc5424;
    private final LegacyHeader legacy;
    private final BodyReader bodies;

    /**
     * Makes a parser.
     *
     * @param zone the time zone of time stamps that name none
     */
    public SyslogParser(ZoneId zone) {
        TimeReader times = new TimeReader(zone);
        bodies = new BodyReader(times);
        rfc5424 = new Rfc5424Header(times);
        legacy = new LegacyHeader(times, bodies);
    }

    /**
     * Understands a message.
     *
     * @param bytes memory that holds it
     * @param begin where it begins
     * @param end where it ends, exclusively
     * @param receiveTimeNs when it was received, in ns since the epoch: it tells the year of a time stamp without one
     * @param message is set to what was found, and looks at the same bytes
     * @return as what it was understood
     */
    public Kind parse(byte[] bytes, int begin, int end, long receiveTimeNs, SyslogMessage message) {
        message.reset(bytes);
        int last = trimmed(bytes, begin, end);
        int start = afterOctetCount(bytes, begin, last, end);
        int pos = priority(bytes, start, last, message);
        if (message.priority >= 0 && rfc5424.read(bytes, pos, last, message)) {
            message.kind = Kind.RFC5424;
        } else {
            legacy.read(bytes, pos, last, receiveTimeNs, message);
        }
        bodies.look(message);
        return message.kind;
    }

    /** Without the line feeds, carriage returns and NULs at the end. */
    private static int trimmed(byte[] b, int begin, int end) {
        int last = end;
        while (last > begin && (b[last - 1] == '\n' || b[last - 1] == '\r' || b[last - 1] == 0)) {
            last--;
        }
        return last;
    }

    /** Some senders keep RFC 6587's octet count on datagrams: it is one only if it is right. */
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

    /** Reads {@code <PRI>}, up to 191; returns the place after it, or where it began. */
    private static int priority(byte[] b, int begin, int end, SyslogMessage message) {
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
    static void setTrimmed(SyslogMessage message, Field field, int begin, int end) {
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
