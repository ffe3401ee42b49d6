package io.millrace.internal.format;

import io.millrace.message.LineBuffer;

/**
 * Names and values in the bytes of a message, written as members of JSON objects. A repeated name becomes an array, so
 * each name is unique. One thread.
 */
final class NamedValues {
    /** The maximum number of members. A message with more is written with repeated names; no known device sends that many. */
    static final int MAX = 128;

    /** Copies an unescaped value into an array that is long enough; returns its length. */
    interface Unescaper {
        int unescape(byte[] from, int begin, int end, byte[] to);
    }

    private final Unescaper unescaper;
    private final Names names = new Names(MAX);
    private final int[] objectOf = new int[MAX];
    private final int[] valueBegins = new int[MAX];
    private final int[] valueEnds = new int[MAX];
    private final boolean[] escaped = new boolean[MAX];
    private byte[] plain = new byte[256];

    NamedValues(Unescaper unescaper) {
        this.unescaper = unescaper;
    }

    void clear() {
        names.clear();
    }

    boolean isFull() {
        return names.isFull();
    }

    boolean isEmpty() {
        return names.count() == 0;
    }

    void add(int object, int nameBegin, int nameEnd, int valueBegin, int valueEnd, boolean isEscaped) {
        int i = names.add(nameBegin, nameEnd);
        objectOf[i] = object;
        valueBegins[i] = valueBegin;
        valueEnds[i] = valueEnd;
        escaped[i] = isEscaped;
    }

    void write(byte[] b, int object, LineBuffer out) {
        out.put('{');
        boolean first = true;
        for (int i = 0; i < names.count(); i++) {
            if (objectOf[i] == object && same(b, 0, i) == i) {
                out.ascii(first ? "" : ",");
                JsonFormat.string(b, names.begin(i), names.end(i), out);
                out.put(':');
                values(b, i, out);
                first = false;
            }
        }
        out.put('}');
    }

    /** The first member from an index on with the same object and name; -1 if there is none. */
    private int same(byte[] b, int from, int index) {
        int i = from;
        do {
            i = names.find(b, i, names.begin(index), names.end(index));
            if (i < 0 || objectOf[i] == objectOf[index]) {
                return i;
            }
            i++;
        } while (true);
    }

    private void values(byte[] b, int first, LineBuffer out) {
        int next = same(b, first + 1, first);
        if (next < 0) {
            value(b, valueBegins[first], valueEnds[first], escaped[first], out);
            return;
        }
        out.put('[');
        value(b, valueBegins[first], valueEnds[first], escaped[first], out);
        while (next >= 0) {
            out.put(',');
            value(b, valueBegins[next], valueEnds[next], escaped[next], out);
            next = same(b, next + 1, first);
        }
        out.put(']');
    }

    /** Writes a value as a JSON string. */
    void value(byte[] b, int begin, int end, boolean isEscaped, LineBuffer out) {
        if (!isEscaped) {
            JsonFormat.string(b, begin, end, out);
            return;
        }
        if (plain.length < end - begin) {
            plain = new byte[Math.max(end - begin, 2 * plain.length)];
        }
        JsonFormat.string(plain, 0, unescaper.unescape(b, begin, end, plain), out);
    }
}
