package io.millrace.output.internal.name;

import java.util.Arrays;

/**
 * The pattern of a name: constant text, digits and fields. Two patterns overlap if one string matches both.
 *
 * <p>A pattern is kept as a sequence of positions. A position matches one character, and the later characters of a
 * field are optional. {@link #overlaps} is dynamic programming over both sequences: after each position of the first it
 * knows which beginnings of the second can match the same string. That takes time proportional to the product of the
 * two lengths. One thread.
 */
public final class NamePattern {
    /** Special values in the place of a character, which is never negative. All of them match digits. */
    private static final int DIGIT = -1;

    private static final int FIELD_BEGIN = -2;
    private static final int FIELD_REST = -3;

    private int[] positions = new int[64];
    private boolean[] optional = new boolean[64];
    private int length;

    public NamePattern text(String text) {
        text.chars().forEach(c -> add(c, false));
        return this;
    }

    NamePattern digit() {
        add(DIGIT, false);
        return this;
    }

    /** Adds a field: one or more characters up to a limit, the first of which is not a dot. */
    NamePattern field(int maxLength) {
        add(FIELD_BEGIN, false);
        for (int i = 1; i < maxLength; i++) {
            add(FIELD_REST, true);
        }
        return this;
    }

    private void add(int position, boolean mayBeLeftOut) {
        if (length == positions.length) {
            positions = Arrays.copyOf(positions, 2 * length);
            optional = Arrays.copyOf(optional, 2 * length);
        }
        positions[length] = position;
        optional[length++] = mayBeLeftOut;
    }

    /** True if a field can contain this character. */
    static boolean isOfField(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || isDigit(c)
                || c == '-'
                || c == '_'
                || c == ':'
                || c == '.';
    }

    /** A regular expression for a {@link #field}. */
    static String fieldRegex(int maxLength) {
        return "[A-Za-z0-9_:-][A-Za-z0-9_:.-]{0," + (maxLength - 1) + "}";
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    public boolean overlaps(NamePattern other) {
        // reached[j]: the positions so far of this pattern and the first j of the other can match the same string.
        boolean[] reached = new boolean[other.length + 1];
        int low = 0;
        int high = 0;
        reached[0] = true;
        while (high < other.length && other.optional[high]) {
            reached[++high] = true;
        }
        for (int i = 0; i < length; i++) {
            boolean[] next = new boolean[other.length + 1];
            int nextLow = -1;
            int nextHigh = -1;
            for (int j = low; j <= other.length && (j <= high || next[j]); j++) {
                next[j] |= reached[j] && optional[i];
                if (j < other.length) {
                    next[j + 1] |=
                            (reached[j] && meet(positions[i], other.positions[j])) || (next[j] && other.optional[j]);
                }
                if (next[j]) {
                    nextLow = nextLow < 0 ? j : nextLow;
                    nextHigh = j;
                }
            }
            if (nextHigh < 0) {
                return false;
            }
            reached = next;
            low = nextLow;
            high = nextHigh;
        }
        return reached[other.length];
    }

    /** True if two positions can match the same character. */
    private static boolean meet(int a, int b) {
        if (a >= 0 && b >= 0) {
            return a == b;
        }
        return (a < 0 && b < 0) || matches(Math.min(a, b), Math.max(a, b));
    }

    private static boolean matches(int position, int c) {
        return switch (position) {
            case DIGIT -> isDigit(c);
            case FIELD_BEGIN -> isOfField(c) && c != '.';
            default -> isOfField(c);
        };
    }
}
