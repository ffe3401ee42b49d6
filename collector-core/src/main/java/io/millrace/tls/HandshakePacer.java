package io.millrace.tls;

import java.util.ArrayDeque;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the time that TLS handshakes take of an event loop to half of it, so that many clients that connect at once do not keep the loop
 * from its other connections and its datagrams. A handshake costs a signature, about a millisecond; what exceeds the limit waits in
 * line until the next window of 10 ms. The loop's thread.
 */
public final class HandshakePacer {
    static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(10);
    static final long BUDGET_NS = WINDOW_NS / 2;

    private final LongSupplier nanoTime;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private long windowEndNs;
    private long usedNs;
    private boolean scheduled;
    private boolean ran;

    /** Creates a pacer for one event loop. */
    public HandshakePacer() {
        this(System::nanoTime);
    }

    HandshakePacer(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.windowEndNs = nanoTime.getAsLong() + WINDOW_NS;
    }

    /** Runs a handshake's computation, at once if there is time, else in its turn on the loop. */
    void run(Runnable handshake, ScheduledExecutorService loop) {
        if (waiting.isEmpty() && hasTime()) {
            measure(handshake);
        } else {
            waiting.add(handshake);
            schedule(loop);
        }
    }

    /** True if a handshake was computed since the last question, so that its client will answer soon, or waits for its turn. */
    public boolean takeActive() {
        boolean active = ran || !waiting.isEmpty();
        ran = false;
        return active;
    }

    private boolean hasTime() {
        long nowNs = nanoTime.getAsLong();
        if (nowNs - windowEndNs >= 0) {
            windowEndNs = nowNs + WINDOW_NS;
            usedNs = 0;
        }
        return usedNs < BUDGET_NS;
    }

    private void measure(Runnable handshake) {
        long startNs = nanoTime.getAsLong();
        ran = true;
        try {
            handshake.run();
        } finally {
            usedNs += nanoTime.getAsLong() - startNs;
        }
    }

    private void schedule(ScheduledExecutorService loop) {
        if (!scheduled) {
            scheduled = true;
            var unused = loop.schedule(
                    () -> runWaiting(loop), Math.max(0, windowEndNs - nanoTime.getAsLong()), TimeUnit.NANOSECONDS);
        }
    }

    private void runWaiting(ScheduledExecutorService loop) {
        scheduled = false;
        try {
            while (!waiting.isEmpty() && hasTime()) {
                measure(waiting.remove());
            }
        } finally {
            if (!waiting.isEmpty()) {
                schedule(loop);
            }
        }
    }
}
