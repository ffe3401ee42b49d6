package io.millrace.receive;

import io.millrace.counters.Counter;
import io.millrace.counters.Distribution;
import io.millrace.counters.ShardCounters;
import io.millrace.record.BatchWriter;
import io.millrace.ring.Slab;
import io.millrace.ring.SlabRing;
import org.jspecify.annotations.Nullable;

/** The receiver's end of the ring: the slab being filled. One thread. */
final class SlabFiller {
    /** A slab with frames is submitted this long after its first, or a quarter of a millisecond later. */
    static final long DEADLINE_NS = 750_000;

    private final SlabRing ring;
    private final ShardCounters counters;
    private @Nullable Slab current;
    private long firstFrameNs;
    private long datagrams;
    private long bytes;
    private long truncated;
    private long denied;
    private long rateLimited;

    SlabFiller(SlabRing ring, ShardCounters counters) {
        this.ring = ring;
        this.counters = counters;
    }

    /** The batch to read into; null if there is no free slab, which is back-pressure. */
    @Nullable
    BatchWriter batch() {
        if (current == null) {
            current = ring.takeFree();
        }
        return current == null ? null : current.batch();
    }

    /**
     * Takes note of what a read brought.
     *
     * @param count datagrams that left the socket, those that are staged included
     * @param payloadBytes bytes that were appended to the batch
     * @param cut datagrams appended that are truncated
     */
    void received(int count, long payloadBytes, int cut) {
        datagrams += count;
        bytes += payloadBytes;
        truncated += cut;
    }

    /** Takes note of datagrams that were received, and which the policy took out of the batch again. */
    void rejected(int byList, int byRate) {
        denied += byList;
        rateLimited += byRate;
    }

    /** Takes note of when the batch got its first frame. */
    void began(long nowNs) {
        firstFrameNs = nowNs;
    }

    /** Adds what was received to the counters, which the ledger reads: after each cycle and before each submit. */
    void publish() {
        counters.add(Counter.RECEIVED_DATAGRAMS, datagrams);
        counters.add(Counter.RECEIVED_BYTES, bytes);
        counters.add(Counter.TRUNCATED_DATAGRAMS, truncated);
        // After what was received: nobody may find more refused than there was.
        counters.add(Counter.DENIED_DATAGRAMS, denied);
        counters.add(Counter.RATE_LIMITED_DATAGRAMS, rateLimited);
        datagrams = 0;
        bytes = 0;
        truncated = 0;
        denied = 0;
        rateLimited = 0;
    }

    /** Submits the slab if it has frames and its time has come: the sockets are empty, or it has waited long enough. */
    void submitIfDue(boolean socketsEmpty, long nowNs) {
        long age = nowNs - firstFrameNs;
        // A negative age is a clock that was set back.
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
