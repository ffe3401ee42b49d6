package io.millrace.output.internal.forward;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.TimeUnit;

/** Waits with a time limit for operations of a non-blocking channel. One thread. */
final class Readiness implements Closeable {
    private final Selector selector;
    private final SelectionKey key;

    /** Creates it and makes the channel non-blocking. */
    Readiness(SelectableChannel channel) throws IOException {
        selector = channel.provider().openSelector();
        try {
            channel.configureBlocking(false);
            key = channel.register(selector, 0);
        } catch (IOException | RuntimeException e) {
            selector.close();
            throw e;
        }
    }

    /**
     * Waits for one of {@link SelectionKey}'s operations; it may also return early.
     *
     * @param endNs by {@link System#nanoTime}
     * @return false at the time limit
     */
    boolean await(int operation, long endNs) throws IOException, InterruptedException {
        long leftNs = endNs - System.nanoTime();
        if (leftNs <= 0) {
            return false;
        }
        key.interestOps(operation);
        selector.select(1 + TimeUnit.NANOSECONDS.toMillis(leftNs));
        selector.selectedKeys().clear();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
