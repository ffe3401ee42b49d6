package io.millrace.internal.parse;

import io.millrace.internal.fields.Escaping;
import io.millrace.internal.fields.FieldTable;
import io.millrace.internal.fields.NumberText;
import io.millrace.internal.parse.time.TimeReader;
import io.millrace.message.Body;
import io.millrace.message.Kind;
import io.millrace.message.SyslogMessage.Field;
import java.nio.charset.StandardCharsets;

/**
 * Reader of GELF, a JSON object with the members {@code version} and {@code short_message}, which is a text. {@code host}, {@code
 * level} and {@code timestamp} become the message's; all others are fields, without the underscore that additional ones
 * begin with. Clients write the version as text or number, the level also as text or by name, and the timestamp also as text.
 * White space around the object is ignored. One thread.
 */
final class GelfReader {
    private static final byte[] VERSION = ascii("version");
    private static final byte[] SHORT_MESSAGE = ascii("short_message");
    private static final byte[] HOST = ascii("host");
    private static final byte[] LEVEL = ascii("level");
    private static final byte[] TIMESTAMP = ascii("timestamp");
    private static final int MAX_LEVEL = 7;

    /** Host and text, if one of them has escapes. */
    private byte[] decoded = new byte[256];

    private int decodedLength;
    private final TimeReader times;

    GelfReader(TimeReader times) {
        this.times = times;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads a payload; returns false, and changes nothing, if it is something else. */
    boolean read(byte[] b, int begin, int end, ParsedMessage message) {
        int first = begin;
        while (first < end && Ascii.isWhiteSpace(b[first])) {
            first++;
        }
        if (first >= end || b[first] != '{') {
            return false;
        }
        int last = end;
        while (last > first && Ascii.isWhiteSpace(b[last - 1])) {
            last--;
        }
        return b[last - 1] == '}' && readObject(first, last, message);
    }

    private boolean readObject(int begin, int end, ParsedMessage message) {
        FieldTable table = message.readJson(begin, end);
        int text = table.find(SHORT_MESSAGE, FieldTable.Type.TEXT);
        if (text < 0 || textOrNumber(table, VERSION) < 0) {
            message.forgetFields();
            return false;
        }
        int host = table.find(HOST, FieldTable.Type.TEXT);
        setTexts(table, host, text, message);
        message.kind = Kind.GELF;
        message.body = Body.GELF;
        int level = textOrNumber(table, LEVEL);
        if (level >= 0 && setLevel(table, level, message)) {
            table.remove(level);
        }
        int timestamp = textOrNumber(table, TIMESTAMP);
        if (timestamp >= 0 && setTime(table, timestamp, message)) {
            table.remove(timestamp);
        }
        remove(table, HOST);
        remove(table, SHORT_MESSAGE);
        remove(table, VERSION);
        table.trimNames('_');
        return true;
    }

    /** Without escapes, host and text are in the payload. */
    private void setTexts(FieldTable table, int host, int text, ParsedMessage message) {
        decodedLength = 0;
        boolean escaped =
                table.valueEscaping(text) != Escaping.NONE || (host >= 0 && table.valueEscaping(host) != Escaping.NONE);
        set(Field.HOSTNAME, table, host, escaped, message);
        set(Field.MESSAGE, table, text, escaped, message);
        if (escaped) {
            message.bytes = decoded;
        }
    }

    private void set(Field field, FieldTable table, int index, boolean escaped, ParsedMessage message) {
        if (index < 0) {
            return;
        }
        table.value(index);
        int begin = table.plainBegin();
        int end = table.plainEnd();
        if (field == Field.HOSTNAME && begin == end) {
            return;
        }
        if (escaped) {
            int length = end - begin;
            if (decoded.length < decodedLength + length) {
                byte[] larger = new byte[2 * (decodedLength + length)];
                System.arraycopy(decoded, 0, larger, 0, decodedLength);
                decoded = larger;
            }
            System.arraycopy(table.plainBytes(), begin, decoded, decodedLength, length);
            begin = decodedLength;
            decodedLength += length;
            end = decodedLength;
        }
        message.set(field, begin, end);
        if (escaped) {
            message.setEscaped(field, table.valueBegin(index), table.valueEnd(index));
        }
    }

    private static boolean setLevel(FieldTable table, int level, ParsedMessage message) {
        table.value(level);
        byte[] b = table.plainBytes();
        int begin = table.plainBegin();
        int end = table.plainEnd();
        int value = end - begin == 1 ? b[begin] - '0' : -1;
        if (value < 0 || value > MAX_LEVEL) {
            value = Keywords.severity(b, begin, end);
        }
        if (value < 0) {
            return false;
        }
        message.setSeverity(value);
        return true;
    }

    private boolean setTime(FieldTable table, int timestamp, ParsedMessage message) {
        table.value(timestamp);
        byte[] b = table.plainBytes();
        int begin = table.plainBegin();
        int end = table.plainEnd();
        long timeNs = -1;
        if (NumberText.isNumber(b, begin, end)) {
            timeNs = NumberText.secondsToNs(b, begin, end);
        } else {
            times.wrap(b, end);
            timeNs = times.iso(begin) == end ? times.timeNs() : -1;
        }
        if (timeNs < 0) {
            return false;
        }
        message.timestampNs = timeNs;
        return true;
    }

    private static int textOrNumber(FieldTable table, byte[] name) {
        int field = table.find(name, FieldTable.Type.NUMBER);
        return field >= 0 ? field : table.find(name, FieldTable.Type.TEXT);
    }

    private static void remove(FieldTable table, byte[] name) {
        int field = textOrNumber(table, name);
        if (field >= 0) {
            table.remove(field);
        }
    }
}
