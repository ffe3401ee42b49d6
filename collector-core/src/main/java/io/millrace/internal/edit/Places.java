package io.millrace.internal.edit;

import java.util.Arrays;

/** Places in a message, in ascending order. Reused. */
final class Places {
    private int[] bounds = new int[16];
    private int count;

    void clear() {
        count = 0;
    }

    /** Adds a place, unless it begins before the end of the last one. */
    void add(int begin, int end) {
        if (begin < 0 || end <= begin || (count > 0 && begin < end(count - 1))) {
            return;
        }
        if (2 * count == bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * bounds.length);
        }
        bounds[2 * count] = begin;
        bounds[2 * count + 1] = end;
        count++;
    }

    int count() {
        return count;
    }

    int begin(int place) {
        return bounds[2 * place];
    }

    int end(int place) {
        return bounds[2 * place + 1];
    }
}
