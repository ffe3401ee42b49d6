package io.millrace.internal.parse;

import io.millrace.internal.charset.AsciiWord;
import io.millrace.internal.parse.time.TimeReader;
import io.millrace.message.SyslogMessage;
import io.millrace.message.SyslogMessage.Field;

/**
 * Parser of the header and structured data of RFC 5424 section 6. Fields longer than the RFC allows are accepted.
 * So are bytes of UTF-8 in them. Malformed structured data becomes part of the message, so that nothing is lost. So does the remainder of a header
 * that was truncated after its timestamp.
 */
final class Rfc5424Header {
    private static final int MAX_VERSION_DIGITS = 3;
    private static final Field[] TOKENS = {Field.HOSTNAME, Field.APPNAME, Field.PROCID, Field.MSGID};

    private final TimeReader times;

    Rfc5424Header(TimeReader times) {
        this.times = times;
    }

    /** Parses the text after the PRI; returns false, with no field set, if it is not a header of RFC 5424. */
    boolean read(byte[] b, int begin, int end, ParsedMessage message) {
        int pos = begin;
        int version = 0;
        while (pos < end && pos - begin < MAX_VERSION_DIGITS && b[pos] >= '0' && b[pos] <= '9') {
            version = version * 10 + b[pos] - '0';
            pos++;
        }
        if (version == 0 || pos >= end || b[pos] != ' ' || b[begin] == '0') {
            return false;
        }
        pos = timestamp(b, pos + 1, end, message);
        if (pos < 0) {
            return false;
        }
        for (Field field : TOKENS) {
            int from = pos + 1;
            boolean spaced = pos < end && b[pos] == ' ';
            int to = spaced ? tokenEnd(b, from, end) : from;
            // A header may end after its last field: then there is no structured data.
            boolean cut = spaced && to == end && (field != Field.MSGID || to == from);
            if (cut && message.timestampNs != SyslogMessage.NO_TIME) {
                message.version = version;
                return cut(from, end, message);
            }
            if (to == from) {
                forget(message);
                return false;
            }
            if (to - from != 1 || b[from] != '-') {
                message.set(field, from, to);
            }
            pos = to;
        }
        message.version = version;
        structuredDataAndMessage(b, pos, end, message);
        return true;
    }

    /** The message ends within its header: the remainder becomes the text. */
    private static boolean cut(int from, int end, ParsedMessage message) {
        if (from < end) {
            message.set(Field.MESSAGE, from, end);
        }
        return true;
    }

    private int timestamp(byte[] b, int pos, int end, ParsedMessage message) {
        if (pos + 1 < end && b[pos] == '-' && b[pos + 1] == ' ') {
            return pos + 1;
        }
        times.wrap(b, end);
        int after = times.isoField(pos);
        if (after == TimeReader.NONE) {
            return -1;
        }
        message.timestampNs = times.timeNs();
        return after;
    }

    private static int tokenEnd(byte[] b, int from, int end) {
        int to = AsciiWord.wordEnd(b, from, end);
        if (to < end && b[to] < 0) {
            to = utf8End(b, to, end);
        }
        // Any other character than a space ends the header: this is not a field.
        return to < end && b[to] != ' ' ? from : to;
    }

    /** The RFC allows ASCII only; names of hosts and programs in UTF-8 are kept. */
    private static int utf8End(byte[] b, int from, int end) {
        int to = from;
        while (to < end && ((b[to] > ' ' && b[to] < 0x7f) || b[to] < 0)) {
            to++;
        }
        return to;
    }

    private static void forget(ParsedMessage message) {
        message.timestampNs = SyslogMessage.NO_TIME;
        for (Field field : TOKENS) {
            message.clear(field);
        }
    }

    private static void structuredDataAndMessage(byte[] b, int begin, int end, ParsedMessage message) {
        int pos = begin < end ? begin + 1 : end;
        if (pos < end && b[pos] == '-' && (pos + 1 == end || b[pos + 1] == ' ')) {
            pos++;
        } else if (pos < end && b[pos] == '[') {
            int after = StructuredData.end(b, pos, end);
            if (after > pos) {
                message.set(Field.STRUCTURED_DATA, pos, after);
                pos = after;
            }
        }
        if (pos < end && b[pos] == ' ') {
            pos++;
        }
        if (pos < end) {
            message.set(Field.MESSAGE, pos, end);
        }
    }
}
