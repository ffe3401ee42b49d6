package io.millrace.receive;

import io.millrace.counters.Counter;
import io.millrace.counters.ShardCounters;
import io.millrace.record.BatchWriter;
import io.millrace.record.StagedDatagram;
import io.millrace.ring.Slab;
import io.millrace.ring.SlabRing;
import org.jspecify.annotations.Nullable;

/**
 * The receiver's end of the ring: the slab being filled and the one that comes next. Two are held so that a slab can be
 * filled to its end, whatever the size of the datagram a read may bring. One thread.
 */
final class SlabFiller {
    /** A slab with frames is handed over this long after its first, whatever happens. */
    static final long DEADLINE_NS = 1_000_000;

    private final SlabRing ring;
    private final ShardCounters counters;
    private final int maxFrameBytes;
    private @Nullable Slab current;
    private @Nullable Slab next;
    private long firstFrameNs;
    private long datagrams;
    private long bytes;
    private long truncated;

    SlabFiller(SlabRing ring, int maxDatagramBytes, ShardCounters counters) {
        this.ring = ring;
        this.counters = counters;
        this.maxFrameBytes = BatchWriter.maxFrameLength(maxDatagramBytes);
    }

    /** True if there is room for any datagram one read can bring; false is back-pressure. */
    boolean hasRoom() {
        if (current == null) {
            current = ring.takeFree();
            if (current == null) {
                return false;
            }
        }
        // A frame may also need a new batch for its time: room in the current slab alone is enough for its bytes only.
        if (next == null) {
            next = ring.takeFree();
        }
        return next != null;
    }

    /** Writes a datagram as a frame, after {@link #hasRoom()} said yes. */
    void append(StagedDatagram datagram, int input, long nowNs) {
        Slab slab = required(current);
        if (!slab.batch().append(datagram, input)) {
            handOver();
            current = next;
            next = null;
            slab = required(current);
            if (!slab.batch().append(datagram, input)) {
                throw new IllegalStateException("a slab does not hold a frame of " + maxFrameBytes + " bytes");
            }
        }
        if (slab.batch().count() == 1) {
            firstFrameNs = nowNs;
        }
        datagrams++;
        bytes += datagram.length();
        if (datagram.isTruncated()) {
            truncated++;
        }
    }

    /** Adds what was appended to the counters, which the ledger reads: after each cycle and before each hand-over. */
    void publish() {
        counters.add(Counter.RECEIVED_DATAGRAMS, datagrams);
        counters.add(Counter.RECEIVED_BYTES, bytes);
        counters.add(Counter.TRUNCATED_DATAGRAMS, truncated);
        datagrams = 0;
        bytes = 0;
        truncated = 0;
    }

    /** Hands the slab over if it has frames and its time has come: the sockets are empty, or it has waited long enough. */
    void handOverIfDue(boolean socketsEmpty, long nowNs) {
        long age = nowNs - firstFrameNs;
        // A negative age is a clock that was set back.
        if (isPending() && ((socketsEmpty && ring.isDrained()) || age >= DEADLINE_NS || age < 0)) {
            handOver();
        }
    }

    /** Hands the slab over if it has frames. */
    void flush() {
        if (isPending()) {
            handOver();
        }
    }

    /** True if there are frames that have not been handed over. */
    boolean isPending() {
        return current != null && current.batch().count() > 0;
    }

    private void handOver() {
        // Before the writer can count a datagram as journaled, it must have been counted as received.
        publish();
        ring.handOver(required(current));
        current = null;
        counters.raise(Counter.RING_DEPTH_MAX, ring.depth());
    }

    private static Slab required(@Nullable Slab slab) {
        if (slab == null) {
            throw new IllegalStateException("append without room");
        }
        return slab;
    }
}
