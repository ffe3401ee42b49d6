package io.millrace.sources;

import java.util.Arrays;

/**
 * A top-k sketch that counts frequent keys in constant time and memory: the Space-Saving algorithm of Metwally, Agrawal
 * and El Abbadi, <i>Efficient Computation of Frequent and Top-k Elements in Data Streams</i>, 2005. The number of
 * counters is fixed. A new key replaces the key with the lowest count, inherits that count, and records it as its
 * error. After N additions with m counters:
 *
 * <ul>
 *   <li>the lowest count, and every error, is at most N / m;
 *   <li>a key's true count is between its count minus its error and its count;
 *   <li>every key with a true count above the lowest count has a counter.
 * </ul>
 *
 * <p>Counters are sorted by count. Counters with the same count form a group, and the group knows its last counter. To
 * add to a counter, the class swaps it with the last of its group. The counter then passes the groups with lower counts,
 * and joins the next one or forms a new one. So adding 1 needs no search. An unused counter has the count 0. One thread.
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

    /** Creates the counters and allocates all memory. */
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

    /** The approximate size in bytes for a number of counters. */
    static long bytesOf(int capacity) {
        return capacity * (5L * Long.BYTES + 8L * Integer.BYTES) + 2L * Integer.highestOneBit(capacity) * Integer.BYTES;
    }

    /** Resets all counters. */
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

    /** Adds to the count of a key, and to its bytes. */
    void add(long high, long low, int hash, int more, long payloadBytes) {
        int counter = find(high, low, hash);
        if (counter == NONE) {
            counter = replaceLowest(high, low, hash);
        }
        bytes[counter] += payloadBytes;
        increment(counter, more);
    }

    /** The counter of a key; -1 if it has none. */
    int find(long high, long low, int hash) {
        int counter = heads[hash & heads.length - 1];
        while (counter != NONE && (lows[counter] != low || highs[counter] != high)) {
            counter = nexts[counter];
        }
        return counter;
    }

    private int replaceLowest(long high, long low, int hash) {
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

    private void increment(int counter, int more) {
        long count = counts[counter] + more;
        int group = groupOf[counter];
        int place = groupEnd[group];
        swap(counter, placeOf[counter], place);
        int after = counterAfter(place);
        if (groupSize[group] == 1 && (after == NONE || counts[after] > count)) {
            counts[counter] = count;
            return;
        }
        groupEnd[group] = place - 1;
        if (--groupSize[group] == 0) {
            freeGroups[free++] = group;
        }
        while (after != NONE && counts[after] < count) {
            // The group that it passes moves one place down.
            int end = groupEnd[groupOf[after]]--;
            swap(counter, place, end);
            place = end;
            after = counterAfter(place);
        }
        boolean joins = after != NONE && counts[after] == count;
        int next = joins ? groupOf[after] : freeGroups[--free];
        if (!joins) {
            groupEnd[next] = place;
            groupSize[next] = 0;
        }
        groupSize[next]++;
        groupOf[counter] = next;
        counts[counter] = count;
    }

    private int counterAfter(int place) {
        return place + 1 < capacity ? counterAt[place + 1] : NONE;
    }

    private void swap(int counter, int place, int end) {
        int last = counterAt[end];
        counterAt[end] = counter;
        placeOf[counter] = end;
        counterAt[place] = last;
        placeOf[last] = place;
    }

    /** The lowest count: the maximum true count of a key without a counter. */
    long lowest() {
        return counts[counterAt[0]];
    }

    /** The number of counters, used or not. */
    int capacity() {
        return capacity;
    }

    SourceAddress address(int counter) {
        return new SourceAddress(highs[counter], lows[counter]);
    }

    int hash(int counter) {
        return hashes[counter];
    }

    /** The count, an upper bound of the key's true count; 0 if the counter is not used. */
    long count(int counter) {
        return counts[counter];
    }

    /** The maximum error of the count. */
    long error(int counter) {
        return errors[counter];
    }

    /** The bytes of the key since it got the counter. */
    long bytes(int counter) {
        return bytes[counter];
    }
}
