package io.millrace.bench.trial;

import io.millrace.bench.subject.SocketState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Looks at the receive buffer of a port fifty times per second. A trial without loss whose buffer was filling up all the
 * time was only too short: what waits at its end tells.
 */
final class QueueWatch implements AutoCloseable {
    private static final long PERIOD_MS = 20;
    /** The sender's JVM takes a moment to end, and most of the last samples must be of the load. */
    private static final double MAX_SECONDS_AT_THE_END = 0.8;

    private static final double MIN_SECONDS_AT_THE_END = 0.2;

    private final int port;
    private final List<Long> samples = new ArrayList<>();
    private final Thread thread;

    QueueWatch(int port) {
        this.port = port;
        thread = new Thread(this::run, "queue-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                add(SocketState.of(port).queuedBytes());
                Thread.sleep(PERIOD_MS);
            }
        } catch (InterruptedException | IOException e) {
            // It was told to stop, or the port is gone.
        }
    }

    private synchronized void add(long sample) {
        samples.add(sample);
    }

    /** The most that waited at a time, in bytes. */
    synchronized long highest() {
        return samples.isEmpty() ? 0 : Collections.max(samples);
    }

    /**
     * What typically (the median) waited in the last moments, in bytes.
     *
     * @param seconds how long the load was
     */
    synchronized long atTheEnd(double seconds) {
        double moments = Math.max(MIN_SECONDS_AT_THE_END, Math.min(MAX_SECONDS_AT_THE_END, seconds / 2));
        int count = (int) (moments * 1000 / PERIOD_MS);
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
