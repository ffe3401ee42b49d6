package io.millrace.internal.fields;

/**
 * Reader of pairs in text into a table: {@code key=value}, {@code key="a value"} and {@code key:"a value"}.
 *
 * <p>A key consists of letters, digits and {@code _ . -}, and is at the beginning or after a space, tab, comma,
 * semicolon or bracket. A value without quotes ends at a space or tab; a comma or semicolon before that does not belong
 * to it. Other text is ignored. One pass, whatever the text; no state.
 */
public final class PairReader {
    private static final byte KEY = 1;
    private static final byte BEFORE_KEY = 2;
    private static final byte[] ROLES = roles();

    private PairReader() {}

    private static byte[] roles() {
        byte[] roles = new byte[256];
        for (char c = 0; c < 128; c++) {
            if (Character.isLetterOrDigit(c) || "_.-".indexOf(c) >= 0) {
                roles[c] = KEY;
            } else if (" \t,;[](".indexOf(c) >= 0) {
                roles[c] = BEFORE_KEY;
            }
        }
        return roles;
    }

    /**
     * Reads the pairs of a text.
     *
     * @param table the table, which is cleared
     */
    public static void read(byte[] b, int begin, int end, FieldTable table) {
        table.clear(b);
        int key = begin;
        int pos = begin;
        while (pos < end && !table.isFull()) {
            byte c = b[pos];
            boolean colon = c == ':' && pos + 1 < end && b[pos + 1] == '"';
            if ((c == '=' || colon) && key >= 0 && pos > key) {
                pos = value(b, key, pos, end, table);
                key = -1;
            } else {
                pos++;
                int role = ROLES[c & 0xff];
                if (role != KEY) {
                    key = role == BEFORE_KEY ? pos : -1;
                }
            }
        }
    }

    /** Adds a pair; returns where its value ends. */
    private static int value(byte[] b, int key, int sign, int end, FieldTable table) {
        int begin = sign + 1;
        if (begin < end && b[begin] == '"') {
            int quote = begin + 1;
            boolean escaped = false;
            while (quote < end && b[quote] != '"') {
                boolean escape = b[quote] == '\\' && quote + 1 < end && (b[quote + 1] == '"' || b[quote + 1] == '\\');
                escaped |= escape;
                quote += escape ? 2 : 1;
            }
            int to = Math.min(quote, end);
            table.add(key, sign, begin + 1, to, escaped ? Escaping.QUOTED : Escaping.NONE);
            return Math.min(quote + 1, end);
        }
        int to = begin;
        while (to < end && b[to] != ' ' && b[to] != '\t') {
            to++;
        }
        int last = to;
        while (last > begin && (b[last - 1] == ',' || b[last - 1] == ';')) {
            last--;
        }
        table.add(key, sign, begin, last, Escaping.NONE);
        return to;
    }
}
