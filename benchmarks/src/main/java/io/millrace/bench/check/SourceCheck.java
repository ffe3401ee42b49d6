package io.millrace.bench.check;

import java.util.BitSet;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What came of one source. A million of them fit in memory: most send little. */
public final class SourceCheck {
    private final int number;
    private final @Nullable Histogram latency;
    /** The sequence numbers below 64 that were seen. */
    private long low;
    /** The others, less 64. */
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

    /** Counts a datagram; false if it was there before. */
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

    /** Notes the address and port of a datagram. */
    void cameFrom(long addressAndPort) {
        if (endpoint == 0) {
            endpoint = addressAndPort;
        } else if (endpoint != addressAndPort) {
            moved = true;
        }
    }

    /** True if its datagrams came from several addresses or ports. */
    public boolean hasMoved() {
        return moved;
    }

    /** Where its first datagram came from; 0 if that is not known. */
    long endpoint() {
        return endpoint;
    }

    void recordLatency(long micros) {
        if (latency != null) {
            latency.recordValue(micros);
        }
    }

    /** The number the sender gave this source. */
    public int number() {
        return number;
    }

    /** Datagrams that came, duplicates included. */
    public long received() {
        return received;
    }

    /** Datagrams that were there before. */
    public long duplicated() {
        return duplicated;
    }

    /** Datagrams that came after one with a higher sequence number. */
    public long reordered() {
        return reordered;
    }

    /** The highest sequence number that came. */
    public long highest() {
        return highest;
    }

    /** Sequence numbers below the highest that did not come. */
    public long holes() {
        return highest + 1 - (received - duplicated);
    }

    /** True if the datagram with this sequence number came. */
    public boolean has(long sequence) {
        return sequence < Long.SIZE
                ? (low & 1L << sequence) != 0
                : high != null && high.get(Math.toIntExact(sequence - Long.SIZE));
    }

    /** From the intended send time to the receive time, in µs, for the first sources of a run. */
    public Optional<Histogram> latency() {
        return Optional.ofNullable(latency);
    }
}
