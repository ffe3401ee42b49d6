package io.millrace.internal.counters;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one socket, which is an input in a shard, since the start of the process. Only the thread of its
 * receiver writes, with plain reads and ordered stores; any thread may read.
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
     * Creates the counters of a socket.
     *
     * @param input the name of the input
     * @param bufferBytes the receive buffer that the kernel granted
     */
    public SocketCounters(String input, int shard, long bufferBytes) {
        this.input = input;
        this.shard = shard;
        this.bufferBytes = bufferBytes;
    }

    /** Adds the result of a read: datagrams, and the bytes and truncations of the stored ones. */
    public void received(int datagrams, long payloadBytes, int cut) {
        add(received, datagrams);
        add(bytes, payloadBytes);
        add(truncated, cut);
    }

    /** Counts a failed receive call. */
    public void failed() {
        add(errors, 1);
    }

    /** Adds datagrams that were dropped at the socket for any reason. */
    public void dropped(long datagrams) {
        add(dropped, datagrams);
    }

    /** Sets the used part of the receive buffer, in bytes; negative if unavailable. */
    public void queued(long memoryBytes) {
        queuedBytes.lazySet(Math.max(UNAVAILABLE, memoryBytes));
    }

    private static void add(AtomicLong cell, long amount) {
        if (amount != 0) {
            cell.lazySet(cell.getPlain() + amount);
        }
    }

    /** The name of the input. */
    public String input() {
        return input;
    }

    /** The shard. */
    public int shard() {
        return shard;
    }

    /** The receive buffer that the kernel granted, in bytes. */
    public long bufferBytes() {
        return bufferBytes;
    }

    /** Datagrams read from the socket. */
    public long received() {
        return received.get();
    }

    /** Stored payload bytes of the received datagrams. */
    public long bytes() {
        return bytes.get();
    }

    /** Datagrams truncated to max-datagram. */
    public long truncated() {
        return truncated.get();
    }

    /** Failed receive calls. */
    public long errors() {
        return errors.get();
    }

    /** Datagrams that were dropped here, including those after the stop; at most one second old. */
    public long dropped() {
        return dropped.get();
    }

    /** The used part of the receive buffer, in bytes; null if unavailable. */
    public @Nullable Long queuedBytes() {
        long bytesNow = queuedBytes.get();
        return bytesNow < 0 ? null : bytesNow;
    }
}
