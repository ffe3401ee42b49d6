package io.millrace.bench.powercut;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A sender of numbered messages at a rate, on a thread of its own. It notes when it sent each message. Subclasses know the transport.
 */
abstract class Source implements AutoCloseable {
    static final int MAX_BATCH = 128;

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long JOIN_MS = 10_000;

    private final int number;
    private final long rate;
    private final long limit;
    private final long beginMicros;
    private final Thread thread;
    private volatile int[] sentMicros = new int[1 << 16];
    private volatile int sent;
    private volatile boolean ending;
    private volatile String failure = "";

    /**
     * Makes a sender that is not yet running.
     *
     * @param number the number of the source
     * @param rate messages per second
     * @param limit the maximum number of messages
     * @param beginMicros the time to which the times of messages are relative, in µs since the epoch
     */
    Source(int number, long rate, long limit, long beginMicros) {
        this.number = number;
        this.rate = rate;
        this.limit = limit;
        this.beginMicros = beginMicros;
        this.thread = new Thread(this::work, "source-" + number);
        thread.setDaemon(true);
    }

    /** Sends messages with these numbers. */
    abstract void send(int first, int count) throws IOException;

    /** The number of messages that the transport takes now, if it has a window. */
    int window() {
        return MAX_BATCH;
    }

    /** Makes it look at the window again. */
    final void wake() {
        LockSupport.unpark(thread);
    }

    final int number() {
        return number;
    }

    final void start() {
        thread.start();
    }

    /** Messages sent so far. */
    final int sent() {
        return sent;
    }

    /** True once all messages up to the limit are sent, or sending failed. */
    final boolean isDone() {
        return sent == limit || !failure.isEmpty();
    }

    /** Why it ended early; empty if it did not. */
    final String failure() {
        return failure;
    }

    final void fail(String reason) {
        failure = reason;
    }

    final boolean isEnding() {
        return ending;
    }

    /** When a message was sent, in µs since the beginning of the run. */
    final long sentMicros(int message) {
        return sentMicros[message];
    }

    /** The number of messages that were sent until a time, in µs since the beginning of the run. */
    final int sentUntil(long micros) {
        int low = 0;
        int high = sent;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sentMicros[middle] <= micros) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void work() {
        long beginNs = System.nanoTime();
        try {
            for (int next = 0; !ending && next < limit && failure.isEmpty(); ) {
                long due = Math.min(limit, (System.nanoTime() - beginNs) / 1000 * rate / 1_000_000 + 1);
                int count = (int) Math.min(Math.min(due - next, MAX_BATCH), window());
                if (count > 0) {
                    note(next, count);
                    send(next, count);
                    next += count;
                    sent = next;
                } else {
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
        } catch (IOException e) {
            if (!ending) {
                failure = "source " + number + " failed: " + e.getMessage();
            }
        }
    }

    private void note(int from, int count) {
        if (from + count > sentMicros.length) {
            sentMicros = Arrays.copyOf(sentMicros, sentMicros.length * 2);
        }
        int now = (int) (nowMicros() - beginMicros);
        Arrays.fill(sentMicros, from, from + count, now);
    }

    static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Ends sending after the current batch. */
    final void stop() throws InterruptedException {
        ending = true;
        thread.join(JOIN_MS);
    }

    @Override
    public abstract void close();
}
