package io.millrace.bench.check;

import java.util.BitSet;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The datagrams of one source. A million objects fit in memory, as most sources send little. */
public final class SourceCheck {
    private final int number;
    private final @Nullable Histogram latency;
    /** Bit set of the sequence numbers below 64. */
    private long low;
    /** Bit set of the other sequence numbers, minus 64. */
    private @Nullable BitSet high;

    private long received;
    private long duplicated;
    private long reordered;
    private long highest = -1;
    private long endpoint;
    private boolean moved;

    SourceCheck(int number, @Nullable Histogram latency) {
        this.number = number;
        this.latency = latency;
    }

    /** Counts a datagram; false for a duplicate. */
    boolean add(long sequence) {
        received++;
        if (sequence < highest) {
            reordered++;
        }
        highest = Math.max(highest, sequence);
        if (has(sequence)) {
            duplicated++;
            return false;
        }
        mark(sequence);
        return true;
    }

    private void mark(long sequence) {
        if (sequence < Long.SIZE) {
            low |= 1L << sequence;
            return;
        }
        if (high == null) {
            high = new BitSet();
        }
        high.set(Math.toIntExact(sequence - Long.SIZE));
    }

    /** Records the address and port of a datagram. */
    void addEndpoint(long addressAndPort) {
        if (endpoint == 0) {
            endpoint = addressAndPort;
        } else if (endpoint != addressAndPort) {
            moved = true;
        }
    }

    /** True if it has several addresses or ports. */
    public boolean hasMoved() {
        return moved;
    }

    /** The address and port of its first datagram; 0 if unknown. */
    long endpoint() {
        return endpoint;
    }

    void recordLatency(long micros) {
        if (latency != null) {
            latency.recordValue(micros);
        }
    }

    /** Its number in the sender. */
    public int number() {
        return number;
    }

    /** Received datagrams including duplicates. */
    public long received() {
        return received;
    }

    public long duplicated() {
        return duplicated;
    }

    /** Datagrams that arrived after one with a higher sequence number. */
    public long reordered() {
        return reordered;
    }

    /** The highest sequence number. */
    public long highest() {
        return highest;
    }

    /** Missing sequence numbers below the highest. */
    public long holes() {
        return highest + 1 - (received - duplicated);
    }

    /** True if the datagram with this sequence number arrived. */
    public boolean has(long sequence) {
        return sequence < Long.SIZE
                ? (low & 1L << sequence) != 0
                : high != null && high.get(Math.toIntExact(sequence - Long.SIZE));
    }

    /** Latency from the intended send time in µs, for the first sources of a run. */
    public Optional<Histogram> latency() {
        return Optional.ofNullable(latency);
    }
}
