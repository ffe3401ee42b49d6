package io.millrace.internal.filter;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A set of texts as bytes, with open addressing: a lookup allocates nothing. Immutable. */
final class TextSet {
    private static final int MULTIPLIER = 0x9E3779B1;

    private final byte[] @Nullable [] table;
    private final int mask;
    private int size;

    private TextSet(int capacity) {
        this.table = new byte[capacity][];
        this.mask = capacity - 1;
    }

    static TextSet of(List<byte[]> texts) {
        // At most half full.
        TextSet set = new TextSet(Integer.highestOneBit(Math.max(4, 4 * texts.size())));
        for (byte[] text : texts) {
            int i = set.place(text, 0, text.length);
            set.size += set.table[i] == null ? 1 : 0;
            set.table[i] = text;
        }
        return set;
    }

    /** The number of different texts. */
    int size() {
        return size;
    }

    boolean contains(byte[] bytes, int begin, int end) {
        return table[place(bytes, begin, end)] != null;
    }

    /** The index of a text, or of the free place for it. */
    private int place(byte[] bytes, int begin, int end) {
        int hash = 0;
        for (int i = begin; i < end; i++) {
            hash = (hash ^ bytes[i]) * MULTIPLIER;
            hash ^= hash >>> 15;
        }
        int i = hash & mask;
        byte[] text = table[i];
        while (text != null && !Arrays.equals(bytes, begin, end, text, 0, text.length)) {
            i = (i + 1) & mask;
            text = table[i];
        }
        return i;
    }
}
