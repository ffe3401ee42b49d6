package io.millrace.internal.counters;

import io.millrace.collector.SocketCounters;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one socket, which is an input in a shard, since the start of the process. Only the thread of its
 * receiver writes, with plain reads and ordered stores; any thread may read.
 */
public final class SocketCells implements SocketCounters {
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
    public SocketCells(String input, int shard, long bufferBytes) {
        this.input = input;
        this.shard = shard;
        this.bufferBytes = bufferBytes;
    }

    public void received(int datagrams, long payloadBytes, int cut) {
        add(received, datagrams);
        add(bytes, payloadBytes);
        add(truncated, cut);
    }

    /** Counts a failed receive call. */
    public void failed() {
        add(errors, 1);
    }

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

    @Override
    public String input() {
        return input;
    }

    @Override
    public int shard() {
        return shard;
    }

    @Override
    public long bufferBytes() {
        return bufferBytes;
    }

    @Override
    public long received() {
        return received.get();
    }

    @Override
    public long bytes() {
        return bytes.get();
    }

    @Override
    public long truncated() {
        return truncated.get();
    }

    @Override
    public long errors() {
        return errors.get();
    }

    @Override
    public long dropped() {
        return dropped.get();
    }

    @Override
    public @Nullable Long queuedBytes() {
        long bytesNow = queuedBytes.get();
        return bytesNow < 0 ? null : bytesNow;
    }
}
