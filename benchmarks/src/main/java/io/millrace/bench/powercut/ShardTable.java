package io.millrace.bench.powercut;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A value for each shard and sequence number. Large gaps in the numbers cost nothing. One thread. */
final class ShardTable {
    /** The value where none was put. */
    static final long ABSENT = -1;

    private static final int CHUNK_BITS = 12;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private final List<Map<Long, long[]>> shards = new ArrayList<>();

    long get(int shard, long sequence) {
        if (shard >= shards.size()) {
            return ABSENT;
        }
        long[] chunk = shards.get(shard).get(sequence >> CHUNK_BITS);
        return chunk == null ? ABSENT : chunk[(int) (sequence & CHUNK - 1)];
    }

    /** Puts a value, 0 or more, and returns the one before. */
    long put(int shard, long sequence, long value) {
        while (shard >= shards.size()) {
            shards.add(new HashMap<>());
        }
        long[] chunk = shards.get(shard).computeIfAbsent(sequence >> CHUNK_BITS, at -> {
            long[] made = new long[CHUNK];
            Arrays.fill(made, ABSENT);
            return made;
        });
        int at = (int) (sequence & CHUNK - 1);
        long before = chunk[at];
        chunk[at] = value;
        return before;
    }

    /** Handles each value. */
    void forEach(Visitor visitor) {
        for (int shard = 0; shard < shards.size(); shard++) {
            for (Map.Entry<Long, long[]> chunk : shards.get(shard).entrySet()) {
                for (int i = 0; i < CHUNK; i++) {
                    if (chunk.getValue()[i] != ABSENT) {
                        visitor.visit(shard, (chunk.getKey() << CHUNK_BITS) + i, chunk.getValue()[i]);
                    }
                }
            }
        }
    }

    /** A handler of values. */
    @FunctionalInterface
    interface Visitor {
        void visit(int shard, long sequence, long value);
    }
}
