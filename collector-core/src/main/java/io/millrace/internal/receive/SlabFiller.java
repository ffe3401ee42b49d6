package io.millrace.internal.receive;

import io.millrace.collector.Counter;
import io.millrace.collector.Distribution;
import io.millrace.collector.DropReason;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.ring.SafeBatches;
import io.millrace.internal.ring.Slab;
import io.millrace.internal.ring.SlabRing;
import org.jspecify.annotations.Nullable;

/** Fills slabs and submits them to the ring: the receiver's end of the ring. One thread. */
final class SlabFiller {
    /** A slab is submitted this long after its first frame, or at the next pass: another such time later, at most. */
    static final long DEADLINE_NS = 750_000;

    private final SlabRing ring;
    private final ShardCells counters;
    private @Nullable Slab current;
    private long firstFrameNs;
    private long datagrams;
    private long bytes;
    private long truncated;
    private long denied;
    private long filtered;
    private long rateLimited;
    private long merged;
    private long duplicates;
    private long incomplete;

    SlabFiller(SlabRing ring, ShardCells counters) {
        this.ring = ring;
        this.counters = counters;
    }

    /** Acquires a free slab unless there is one already, and returns its batch; null if none is free (back-pressure). */
    @Nullable
    FrameWriter acquire() {
        if (current == null) {
            current = ring.takeFree();
        }
        return current == null ? null : current.batch();
    }

    int slabBytes() {
        return ring.memory(0).capacity();
    }

    /** The number of the batch that is being filled, and how many are safe. */
    SafeBatches safe() {
        return ring.safe();
    }

    /**
     * Records the result of a read.
     *
     * @param count datagrams taken from the socket, including those that are staged
     * @param payloadBytes payload bytes appended to the batch
     * @param truncatedCount truncated datagrams appended to the batch
     */
    void received(int count, long payloadBytes, int truncatedCount) {
        datagrams += count;
        bytes += payloadBytes;
        truncated += truncatedCount;
    }

    /** Records received datagrams that the policy removed from the batch. */
    void rejected(int byList, int bySeverity, int byRate) {
        denied += byList;
        filtered += bySeverity;
        rateLimited += byRate;
    }

    /** Records received datagrams that are part of another frame. */
    void merged(int count) {
        merged += count;
    }

    /** Records repeated chunks, which were removed from the batch. */
    void duplicates(int count) {
        duplicates += count;
    }

    /** Records chunks that are in the batch as they came. */
    void incomplete(int count) {
        incomplete += count;
    }

    /** Records the time of the first frame of the batch. */
    void began(long nowNs) {
        firstFrameNs = nowNs;
    }

    /** Adds the recorded numbers to the counters, which the ledger reads. Called after each cycle and before each submit. */
    void publish() {
        counters.add(Counter.RECEIVED_DATAGRAMS, datagrams);
        counters.add(Counter.RECEIVED_BYTES, bytes);
        counters.add(Counter.TRUNCATED_DATAGRAMS, truncated);
        // After the received ones: a reader must never see more rejected than received.
        counters.add(DropReason.DENIED.counter(), denied);
        counters.add(DropReason.FILTERED.counter(), filtered);
        counters.add(DropReason.RATE_LIMITED.counter(), rateLimited);
        counters.add(Counter.MERGED_CHUNKS, merged);
        counters.add(Counter.DUPLICATE_CHUNKS, duplicates);
        counters.add(Counter.INCOMPLETE_CHUNKS, incomplete);
        datagrams = 0;
        bytes = 0;
        truncated = 0;
        denied = 0;
        filtered = 0;
        rateLimited = 0;
        merged = 0;
        duplicates = 0;
        incomplete = 0;
    }

    /** Submits the slab if it has frames, and either the sockets and the ring are empty or its deadline has passed. */
    void submitIfDue(boolean socketsEmpty, long nowNs) {
        long age = nowNs - firstFrameNs;
        // The age is negative if the clock was set back.
        if (isPending() && ((socketsEmpty && ring.isDrained()) || age >= DEADLINE_NS || age < 0)) {
            submit();
        }
    }

    /** Submits the slab if it has frames. */
    void flush() {
        if (isPending()) {
            submit();
        }
    }

    /** True if there are frames that have not been submitted. */
    boolean isPending() {
        return current != null && current.batch().count() > 0;
    }

    private void submit() {
        Slab slab = current;
        if (slab == null) {
            throw new IllegalStateException("there is no slab to submit");
        }
        // Before the writer can count a datagram as journaled, it must have been counted as received.
        publish();
        current = null;
        ring.submit(slab);
        int depth = ring.depth();
        counters.record(Distribution.RING_DEPTH, depth);
        counters.raise(Counter.RING_DEPTH_MAX, depth);
    }
}
