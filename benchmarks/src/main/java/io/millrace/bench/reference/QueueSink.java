package io.millrace.bench.reference;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sink that writes on another thread: a copy of each datagram goes through a bounded queue to the thread {@code
 * reference-write}, which owns the target sink. If the queue is full, the receiver waits and the kernel drops.
 */
final class QueueSink extends LineSink {
    private static final int CAPACITY = 65_536;
    private static final int DRAIN_BATCH = 256;
    private static final long JOIN_LIMIT_MS = 60_000;

    private final LineSink target;
    private final BlockingQueue<Entry> queue = new ArrayBlockingQueue<>(CAPACITY);
    private final Thread thread = new Thread(this::run, "reference-write");
    private volatile @Nullable IOException failure;

    /**
     * A queued datagram; without a source it marks the end.
     *
     * @param payload a copy of its own
     */
    private record Entry(ByteBuffer payload, @Nullable InetAddress source) {}

    private QueueSink(LineSink target) {
        this.target = target;
    }

    /** Starts the writing thread. */
    static QueueSink start(LineSink target) {
        QueueSink sink = new QueueSink(target);
        sink.thread.start();
        return sink;
    }

    @Override
    void writeLine(ByteBuffer payload, InetAddress source) throws IOException {
        ByteBuffer copy = ByteBuffer.allocate(payload.remaining()).put(payload).flip();
        put(new Entry(copy, source));
    }

    private void put(Entry entry) throws IOException {
        try {
            queue.put(entry);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the queue was full");
        }
    }

    private void run() {
        List<Entry> entries = new ArrayList<>(DRAIN_BATCH);
        try {
            while (true) {
                entries.add(queue.take());
                queue.drainTo(entries, DRAIN_BATCH - 1);
                for (Entry entry : entries) {
                    if (entry.source() == null) {
                        return;
                    }
                    write(entry.payload(), entry.source());
                }
                entries.clear();
            }
        } catch (InterruptedException e) {
            failure = new InterruptedIOException("the writing thread was interrupted");
        }
    }

    private void write(ByteBuffer payload, InetAddress source) {
        try {
            target.writeLine(payload, source);
        } catch (IOException e) {
            failure = e;
        }
    }

    @Override
    long written() {
        return target.written();
    }

    @Override
    public void close() throws IOException {
        try (target) {
            put(new Entry(ByteBuffer.allocate(0), null));
            thread.join(JOIN_LIMIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the queue was emptied");
        }
        if (failure != null) {
            throw new IOException("some lines were not written: " + failure.getMessage(), failure);
        }
    }
}
