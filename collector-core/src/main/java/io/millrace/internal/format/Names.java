package io.millrace.internal.format;

import java.util.Arrays;

/** Positions of names in the bytes of a message. One thread. */
final class Names {
    private final int[] begins;
    private final int[] ends;
    private int count;

    /** Creates an empty list with a fixed capacity. */
    Names(int most) {
        begins = new int[most];
        ends = new int[most];
    }

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    boolean isFull() {
        return count == begins.length;
    }

    int begin(int index) {
        return begins[index];
    }

    int end(int index) {
        return ends[index];
    }

    /** The first equal name from an index on; -1 if there is none. */
    int find(byte[] b, int from, int begin, int end) {
        for (int i = from; i < count; i++) {
            // Most names differ in their lengths, and the first is compared with itself too.
            if (ends[i] - begins[i] == end - begin
                    && (begins[i] == begin || Arrays.equals(b, begins[i], ends[i], b, begin, end))) {
                return i;
            }
        }
        return -1;
    }

    int add(int begin, int end) {
        begins[count] = begin;
        ends[count] = end;
        return count++;
    }
}
