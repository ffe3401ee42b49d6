package io.millrace.counters;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one socket, that of an input in a shard, has brought since the start of the process. Written by the thread of its
 * receiver alone, with plain reads and ordered stores; any thread may read.
 */
public final class SocketCounters {
    private static final long UNAVAILABLE = -1;

    private final String input;
    private final int shard;
    private final long bufferBytes;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong truncated = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong queuedBytes = new AtomicLong(UNAVAILABLE);

    /**
     * Begins to count.
     *
     * @param input name of the input
     * @param bufferBytes receive buffer the kernel granted
     */
    public SocketCounters(String input, int shard, long bufferBytes) {
        this.input = input;
        this.shard = shard;
        this.bufferBytes = bufferBytes;
    }

    /** Takes note of what a read brought: datagrams that left the socket, and of those stored their bytes and the cut ones. */
    public void received(int datagrams, long payloadBytes, int cut) {
        add(received, datagrams);
        add(bytes, payloadBytes);
        add(truncated, cut);
    }

    /** Takes note of a receive call that failed. */
    public void failed() {
        add(errors, 1);
    }

    /** Takes note of datagrams the kernel dropped, for whatever reason. */
    public void dropped(long datagrams) {
        add(dropped, datagrams);
    }

    /** Takes note of how much of the granted receive buffer is taken, in bytes; negative if it cannot be read. */
    public void queued(long memoryBytes) {
        queuedBytes.lazySet(Math.max(UNAVAILABLE, memoryBytes));
    }

    private static void add(AtomicLong cell, long amount) {
        if (amount != 0) {
            cell.lazySet(cell.getPlain() + amount);
        }
    }

    /** Name of the input. */
    public String input() {
        return input;
    }

    /** The shard. */
    public int shard() {
        return shard;
    }

    /** Receive buffer the kernel granted, in bytes. */
    public long bufferBytes() {
        return bufferBytes;
    }

    /** Datagrams read. */
    public long received() {
        return received.get();
    }

    /** Payload bytes of these, as stored. */
    public long bytes() {
        return bytes.get();
    }

    /** Datagrams truncated to max-datagram. */
    public long truncated() {
        return truncated.get();
    }

    /** Receive calls that failed. */
    public long errors() {
        return errors.get();
    }

    /** Datagrams the kernel dropped here, refusals of the stop included, as of a second ago at the most. */
    public long dropped() {
        return dropped.get();
    }

    /** How much of the granted receive buffer is taken, in bytes; null if it cannot be read. */
    public @Nullable Long queuedBytes() {
        long bytesNow = queuedBytes.get();
        return bytesNow < 0 ? null : bytesNow;
    }
}
