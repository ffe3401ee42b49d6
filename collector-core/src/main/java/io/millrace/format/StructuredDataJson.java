package io.millrace.format;

import io.millrace.parse.StructuredData;
import io.millrace.parse.SyslogMessage;
import java.util.Arrays;

/**
 * Structured data as JSON: {@code {"id":{"name":"value"}}}. A parameter that an element has several times, which RFC 5424
 * section 6.3.3 allows, becomes an array, and elements of the same id become one: names in a JSON object are there once. With
 * more than 128 elements or parameters, which no device sends, all are written as they come. One thread.
 */
final class StructuredDataJson {
    private static final int MOST = 128;

    private final StructuredData data = new StructuredData();
    private final Names elements = new Names();
    private final Names parameters = new Names();
    private final int[] elementOf = new int[MOST];
    private final int[] valueBegins = new int[MOST];
    private final int[] valueEnds = new int[MOST];
    private final boolean[] escaped = new boolean[MOST];

    /** Places of names, each with the place of the first that is the same. */
    private static final class Names {
        private final int[] begins = new int[MOST];
        private final int[] ends = new int[MOST];
        private int count;

        /** The first name from an index on that is the same as this one. */
        private int find(byte[] b, int from, int begin, int end) {
            for (int i = from; i < count; i++) {
                if (Arrays.equals(b, begins[i], ends[i], b, begin, end)) {
                    return i;
                }
            }
            return -1;
        }

        private int add(int begin, int end) {
            begins[count] = begin;
            ends[count] = end;
            return count++;
        }
    }

    /** Writes the structured data of a message that has some. */
    void write(SyslogMessage message, LineBuffer out) {
        if (!gather(message)) {
            asItComes(message, out);
            return;
        }
        byte[] b = message.bytes();
        out.put('{');
        for (int element = 0; element < elements.count; element++) {
            out.ascii(element == 0 ? "" : ",");
            JsonFormat.string(b, elements.begins[element], elements.ends[element], out);
            out.ascii(":{");
            boolean first = true;
            for (int i = 0; i < parameters.count; i++) {
                if (elementOf[i] == element && previous(b, i) < 0) {
                    out.ascii(first ? "" : ",");
                    JsonFormat.string(b, parameters.begins[i], parameters.ends[i], out);
                    out.put(':');
                    values(b, i, out);
                    first = false;
                }
            }
            out.put('}');
        }
        out.put('}');
    }

    /** Notes where everything is; false if there is too much of it. */
    private boolean gather(SyslogMessage message) {
        elements.count = 0;
        parameters.count = 0;
        data.wrap(message);
        while (data.nextElement()) {
            int element = elements.find(message.bytes(), 0, data.nameBegin(), data.nameEnd());
            if (element < 0 && elements.count == MOST) {
                return false;
            }
            element = element < 0 ? elements.add(data.nameBegin(), data.nameEnd()) : element;
            while (data.nextParameter()) {
                if (parameters.count == MOST) {
                    return false;
                }
                int i = parameters.add(data.nameBegin(), data.nameEnd());
                elementOf[i] = element;
                valueBegins[i] = data.valueBegin();
                valueEnds[i] = data.valueEnd();
                escaped[i] = data.isEscaped();
            }
        }
        return true;
    }

    /** The first parameter of the same element and name before this one; -1 if there is none. */
    private int previous(byte[] b, int index) {
        int found = same(b, 0, index);
        return found < index ? found : -1;
    }

    /** The first parameter from an index on that has the same element and name; there is one, itself. */
    private int same(byte[] b, int from, int index) {
        int i = from;
        do {
            i = parameters.find(b, i, parameters.begins[index], parameters.ends[index]);
            if (i < 0 || elementOf[i] == elementOf[index]) {
                return i;
            }
            i++;
        } while (true);
    }

    private void values(byte[] b, int first, LineBuffer out) {
        int next = same(b, first + 1, first);
        if (next < 0) {
            value(b, first, out);
            return;
        }
        out.put('[');
        value(b, first, out);
        while (next >= 0) {
            out.put(',');
            value(b, next, out);
            next = same(b, next + 1, first);
        }
        out.put(']');
    }

    private void value(byte[] b, int i, LineBuffer out) {
        if (escaped[i]) {
            byte[] value = StructuredData.unescaped(b, valueBegins[i], valueEnds[i]);
            JsonFormat.string(value, 0, value.length, out);
        } else {
            JsonFormat.string(b, valueBegins[i], valueEnds[i], out);
        }
    }

    private void asItComes(SyslogMessage message, LineBuffer out) {
        byte[] b = message.bytes();
        out.put('{');
        data.wrap(message);
        for (boolean first = true; data.nextElement(); first = false) {
            out.ascii(first ? "" : ",");
            JsonFormat.string(b, data.nameBegin(), data.nameEnd(), out);
            out.ascii(":{");
            for (boolean firstOne = true; data.nextParameter(); firstOne = false) {
                out.ascii(firstOne ? "" : ",");
                JsonFormat.string(b, data.nameBegin(), data.nameEnd(), out);
                out.put(':');
                byte[] value = data.value();
                JsonFormat.string(value, 0, value.length, out);
            }
            out.put('}');
        }
        out.put('}');
    }
}
