package io.millrace.bench.trial;

import io.millrace.bench.host.SocketState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Samples the receive buffer of a port at the end of a load: a trial without loss was only too short if the buffer kept filling
 * up. It starts about 1 s before the end, and not earlier, because sampling changes the CPU time of receivers and of the sender.
 */
final class ReceiveQueueSampler implements AutoCloseable {
    private static final long PERIOD_MS = 20;
    /** The sender's JVM takes a moment to end, and most of the last samples must be from the load. */
    private static final double MAX_SECONDS_AT_END = 0.8;

    private static final double MIN_SECONDS_AT_END = 0.2;

    private final int port;
    private final double loadSeconds;
    private final double endSeconds;
    private final List<Long> samples = new ArrayList<>();
    private final Thread thread;

    /** Starts to wait for the end of a load of this length. */
    ReceiveQueueSampler(int port, double loadSeconds) {
        this.port = port;
        this.loadSeconds = loadSeconds;
        endSeconds = Math.max(MIN_SECONDS_AT_END, Math.min(MAX_SECONDS_AT_END, loadSeconds / 2));
        thread = new Thread(this::run, "queue-sampler");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            Thread.sleep(Math.max(0, Math.round((loadSeconds - endSeconds) * 1000)));
            while (!Thread.currentThread().isInterrupted()) {
                add(SocketState.of(port).queuedBytes());
                Thread.sleep(PERIOD_MS);
            }
        } catch (InterruptedException | IOException e) {
            // It was stopped, or the port is closed.
        }
    }

    private synchronized void add(long sample) {
        samples.add(sample);
    }

    /** The median content during the last moments, in bytes. */
    synchronized long atEnd() {
        int count = (int) (endSeconds * 1000 / PERIOD_MS);
        List<Long> last = new ArrayList<>(samples.subList(Math.max(0, samples.size() - count), samples.size()));
        Collections.sort(last);
        return last.isEmpty() ? 0 : last.get(last.size() / 2);
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
