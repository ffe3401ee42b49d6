package io.millrace.bench.reference;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sink with asynchronous writes: a full block goes to an {@link AsynchronousFileChannel}, and the thread continues with the
 * next free one. A block is free again when its write has completed. If all are in flight, the thread waits for one.
 */
final class AsyncFileSink extends LineSink {
    private static final int BLOCKS = 8;
    private static final int BLOCK_BYTES = 256 << 10;

    private final AsynchronousFileChannel channel;
    private final BlockingQueue<Block> free = new ArrayBlockingQueue<>(BLOCKS);
    private final AtomicLong written = new AtomicLong();
    private volatile @Nullable Throwable failure;
    private Block current = new Block();
    private long fileAt;

    /** A buffer of lines that are written together. */
    private final class Block implements CompletionHandler<Integer, Void> {
        private final ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK_BYTES);
        private long at;
        private int lines;

        void write(long position) {
            at = position;
            bytes.flip();
            channel.write(bytes, at, null, this);
        }

        @Override
        public void completed(Integer count, Void nothing) {
            if (bytes.hasRemaining()) {
                at += count;
                channel.write(bytes, at, null, this);
            } else {
                written.addAndGet(lines);
                release();
            }
        }

        @Override
        public void failed(Throwable cause, Void nothing) {
            failure = cause;
            release();
        }

        private void release() {
            bytes.clear();
            lines = 0;
            free.add(this);
        }
    }

    private AsyncFileSink(AsynchronousFileChannel channel) {
        this.channel = channel;
        for (int i = 1; i < BLOCKS; i++) {
            free.add(new Block());
        }
    }

    static AsyncFileSink open(Path file) throws IOException {
        return new AsyncFileSink(AsynchronousFileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE));
    }

    @Override
    void writeLine(ByteBuffer payload, InetAddress source) throws IOException {
        if (current.bytes.remaining() <= payload.remaining()) {
            submit();
            current = takeFree();
        }
        current.bytes.put(payload).put(LINE_FEED);
        current.lines++;
    }

    private void submit() {
        int length = current.bytes.position();
        current.write(fileAt);
        fileAt += length;
    }

    private Block takeFree() throws IOException {
        try {
            return free.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while all blocks were in flight");
        }
    }

    /** The number of lines whose write has completed. */
    @Override
    long written() {
        return written.get();
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            submit();
            for (int i = 0; i < BLOCKS; i++) {
                var unused = takeFree();
            }
        }
        if (failure != null) {
            throw new IOException("some lines were not written: " + failure.getMessage(), failure);
        }
    }
}
