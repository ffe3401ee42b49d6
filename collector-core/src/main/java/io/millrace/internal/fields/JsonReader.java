package io.millrace.internal.fields;

/**
 * Reader of a JSON object (RFC 8259) into a table. Members of objects are fields of their own. An element of an array is
 * a field with the array's name. What is not valid JSON, or deeper than {@value #MAX_DEPTH}, has no fields. Names and
 * values may contain invalid UTF-8. One thread.
 */
public final class JsonReader {
    /** The maximum number of objects and arrays within each other. */
    public static final int MAX_DEPTH = 32;

    private static final int INVALID = -1;
    private static final String[] WORDS = {"true", "false", "null"};

    private FieldTable table = new FieldTable();
    private byte[] b = new byte[0];
    private int end;
    private boolean escaped;

    /** Creates a reader. */
    public JsonReader() {}

    /**
     * Reads an object.
     *
     * @param fields the table, which is cleared
     * @return false if it is not one valid object
     */
    public boolean read(byte[] bytes, int begin, int last, FieldTable fields) {
        fields.clear(bytes);
        table = fields;
        b = bytes;
        end = last;
        int pos = skip(begin);
        if (pos >= end || b[pos] != '{') {
            return false;
        }
        pos = object(pos, -1, 1);
        if (pos == INVALID || skip(pos) != end) {
            fields.clear(bytes);
            return false;
        }
        return true;
    }

    /** Reads an object; returns where it ends. */
    private int object(int begin, int parent, int depth) {
        int pos = skip(begin + 1);
        if (depth > MAX_DEPTH) {
            return INVALID;
        }
        if (at(pos) == '}') {
            return pos + 1;
        }
        while (true) {
            if (at(pos) != '"') {
                return INVALID;
            }
            int nameBegin = pos + 1;
            pos = string(pos);
            if (pos == INVALID) {
                return INVALID;
            }
            int nameEnd = pos - 1;
            Escaping escaping = escaped ? Escaping.JSON : Escaping.NONE;
            pos = skip(pos);
            if (at(pos) != ':') {
                return INVALID;
            }
            pos = value(skip(pos + 1), parent, nameBegin, nameEnd, escaping, false, depth);
            pos = pos == INVALID ? INVALID : skip(pos);
            if (pos == INVALID || at(pos) == '}') {
                return pos == INVALID ? INVALID : pos + 1;
            }
            if (at(pos) != ',') {
                return INVALID;
            }
            pos = skip(pos + 1);
        }
    }

    private int array(int begin, int parent, int nameBegin, int nameEnd, Escaping escaping, int depth) {
        int pos = skip(begin + 1);
        if (depth > MAX_DEPTH) {
            return INVALID;
        }
        if (at(pos) == ']') {
            return pos + 1;
        }
        while (true) {
            pos = value(pos, parent, nameBegin, nameEnd, escaping, true, depth);
            pos = pos == INVALID ? INVALID : skip(pos);
            if (pos == INVALID || at(pos) == ']') {
                return pos == INVALID ? INVALID : pos + 1;
            }
            if (at(pos) != ',') {
                return INVALID;
            }
            pos = skip(pos + 1);
        }
    }

    /** Reads a value and adds its field. A member of a field for which there was no room is not added either. */
    private int value(int pos, int parent, int nameBegin, int nameEnd, Escaping escaping, boolean element, int depth) {
        byte c = at(pos);
        if (c == '[') {
            return array(pos, parent, nameBegin, nameEnd, escaping, depth + 1);
        }
        int field = parent == FULL
                ? -1
                : element
                        ? table.addElement(parent, nameBegin, nameEnd, escaping)
                        : table.add(parent, nameBegin, nameEnd, escaping);
        if (c == '{') {
            return object(pos, field < 0 ? FULL : field, depth + 1);
        }
        int after;
        if (c == '"') {
            after = string(pos);
            set(field, FieldTable.Type.TEXT, pos + 1, after - 1, escaped ? Escaping.JSON : Escaping.NONE);
        } else if (c == 't' || c == 'f' || c == 'n') {
            after = word(pos);
            set(field, c == 'n' ? FieldTable.Type.NULL : FieldTable.Type.BOOLEAN, pos, after, Escaping.NONE);
        } else {
            after = NumberText.end(b, pos, end);
            set(field, FieldTable.Type.NUMBER, pos, after, Escaping.NONE);
        }
        return after;
    }

    /** The parent of members of a field for which there was no room. */
    private static final int FULL = -2;

    private void set(int field, FieldTable.Type type, int begin, int after, Escaping escaping) {
        if (field >= 0 && after != INVALID) {
            table.set(field, type, begin, after, escaping);
        }
    }

    /** Reads a string; returns the position after its quote, and sets whether it has escapes. */
    private int string(int begin) {
        escaped = false;
        int pos = begin + 1;
        while (pos < end) {
            byte c = b[pos];
            if (c == '"') {
                return pos + 1;
            }
            if (c >= 0 && c < ' ') {
                return INVALID;
            }
            if (c == '\\') {
                escaped = true;
                pos = escape(pos + 1);
                if (pos == INVALID) {
                    return INVALID;
                }
            } else {
                pos++;
            }
        }
        return INVALID;
    }

    /** The position after an escape. */
    private int escape(int pos) {
        switch (at(pos)) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                return pos + 1;
            }
            case 'u' -> {
                for (int i = pos + 1; i <= pos + 4; i++) {
                    if (Character.digit(at(i), 16) < 0) {
                        return INVALID;
                    }
                }
                return pos + 5;
            }
            default -> {
                return INVALID;
            }
        }
    }

    private int word(int begin) {
        for (String word : WORDS) {
            int length = word.length();
            int i = 0;
            while (i < length && at(begin + i) == word.charAt(i)) {
                i++;
            }
            if (i == length) {
                return begin + length;
            }
        }
        return INVALID;
    }

    private int skip(int begin) {
        int pos = begin;
        while (pos < end && (b[pos] == ' ' || b[pos] == '\t' || b[pos] == '\n' || b[pos] == '\r')) {
            pos++;
        }
        return pos;
    }

    /** A byte, or 0, which no JSON contains outside of strings, behind the end. */
    private byte at(int pos) {
        return pos < end ? b[pos] : 0;
    }
}
