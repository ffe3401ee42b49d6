package io.millrace.sources;

import java.util.Arrays;

/**
 * Counts by key which of many keys come most often, in constant time and memory: Space-Saving of Metwally, Agrawal and El
 * Abbadi, <i>Efficient Computation of Frequent and Top-k Elements in Data Streams</i>, 2005. There is a fixed number of
 * counters. A key without one takes over the lowest, count and all, and what it takes over is noted as its error. After N
 * additions with m counters:
 *
 * <ul>
 *   <li>the lowest count is N / m at the most, and so is every error;
 *   <li>a key's true count is no more than its count, and no less than its count without its error;
 *   <li>a key that came more often than the lowest count has a counter.
 * </ul>
 *
 * <p>Counters stand in the order of their counts. Those with the same count are a group, which knows its end. Counting one
 * up swaps it with the last of its group; then it joins the group after it, or is one of its own. So nothing is searched,
 * and nothing moves further than a swap. An unused counter is one that counts 0. One thread.
 */
final class SpaceSaving {
    private static final int NONE = -1;

    private final int capacity;
    private final long[] highs;
    private final long[] lows;
    private final int[] hashes;
    private final long[] counts;
    private final long[] errors;
    private final long[] bytes;

    private final int[] heads;
    private final int[] nexts;

    private final int[] counterAt;
    private final int[] placeOf;
    private final int[] groupOf;
    private final int[] groupEnd;
    private final int[] groupSize;
    private final int[] freeGroups;
    private int free;

    /** Makes the counters: all the memory there will ever be. */
    SpaceSaving(int capacity) {
        this.capacity = capacity;
        highs = new long[capacity];
        lows = new long[capacity];
        hashes = new int[capacity];
        counts = new long[capacity];
        errors = new long[capacity];
        bytes = new long[capacity];
        heads = new int[2 * Integer.highestOneBit(capacity)];
        nexts = new int[capacity];
        counterAt = new int[capacity];
        placeOf = new int[capacity];
        groupOf = new int[capacity];
        groupEnd = new int[capacity];
        groupSize = new int[capacity];
        freeGroups = new int[capacity];
        clear();
    }

    /** About how many bytes one with so many counters takes. */
    static long bytesOf(int capacity) {
        return capacity * (5L * Long.BYTES + 8L * Integer.BYTES) + 2L * Integer.highestOneBit(capacity) * Integer.BYTES;
    }

    /** Forgets everything. */
    void clear() {
        Arrays.fill(counts, 0);
        Arrays.fill(heads, NONE);
        Arrays.fill(groupOf, 0);
        groupEnd[0] = capacity - 1;
        groupSize[0] = capacity;
        free = 0;
        for (int i = 0; i < capacity; i++) {
            counterAt[i] = i;
            placeOf[i] = i;
            if (i > 0) {
                freeGroups[free++] = i;
            }
        }
    }

    /** Counts a key once, and its bytes. */
    void add(long high, long low, int hash, int payloadBytes) {
        int counter = find(high, low, hash);
        if (counter == NONE) {
            counter = takeOverLowest(high, low, hash);
        }
        bytes[counter] += payloadBytes;
        countUp(counter);
    }

    /** The counter of a key; -1 if it has none. */
    int find(long high, long low, int hash) {
        int counter = heads[hash & heads.length - 1];
        while (counter != NONE && (lows[counter] != low || highs[counter] != high)) {
            counter = nexts[counter];
        }
        return counter;
    }

    private int takeOverLowest(long high, long low, int hash) {
        int counter = counterAt[0];
        if (counts[counter] > 0) {
            unlink(counter);
        }
        highs[counter] = high;
        lows[counter] = low;
        hashes[counter] = hash;
        errors[counter] = counts[counter];
        bytes[counter] = 0;
        int head = hash & heads.length - 1;
        nexts[counter] = heads[head];
        heads[head] = counter;
        return counter;
    }

    private void unlink(int counter) {
        int head = hashes[counter] & heads.length - 1;
        if (heads[head] == counter) {
            heads[head] = nexts[counter];
            return;
        }
        int before = heads[head];
        while (nexts[before] != counter) {
            before = nexts[before];
        }
        nexts[before] = nexts[counter];
    }

    private void countUp(int counter) {
        int group = groupOf[counter];
        int end = groupEnd[group];
        swap(counter, placeOf[counter], end);
        counts[counter]++;
        int after = end + 1 < capacity ? counterAt[end + 1] : NONE;
        boolean joins = after != NONE && counts[after] == counts[counter];
        if (groupSize[group] == 1 && !joins) {
            return;
        }
        groupSize[group]--;
        groupEnd[group] = end - 1;
        int next = joins ? groupOf[after] : freeGroups[--free];
        if (!joins) {
            groupEnd[next] = end;
            groupSize[next] = 0;
        }
        if (groupSize[group] == 0) {
            freeGroups[free++] = group;
        }
        groupSize[next]++;
        groupOf[counter] = next;
    }

    private void swap(int counter, int place, int end) {
        int last = counterAt[end];
        counterAt[end] = counter;
        placeOf[counter] = end;
        counterAt[place] = last;
        placeOf[last] = place;
    }

    /** What a key without a counter may have come at the most. */
    long lowest() {
        return counts[counterAt[0]];
    }

    /** How many counters there are, used or not. */
    int capacity() {
        return capacity;
    }

    SourceAddress address(int counter) {
        return new SourceAddress(highs[counter], lows[counter]);
    }

    int hash(int counter) {
        return hashes[counter];
    }

    /** No less than how often the key came; 0 if the counter is not used. */
    long count(int counter) {
        return counts[counter];
    }

    /** How much of the count may be others'. */
    long error(int counter) {
        return errors[counter];
    }

    /** Bytes of the key since it has the counter. */
    long bytes(int counter) {
        return bytes[counter];
    }
}
