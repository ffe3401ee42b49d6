package io.millrace.internal.tls;

import io.millrace.collector.Network;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the time that TLS handshakes take of an event loop to half of it, so that clients that connect do not keep the loop from its
 * other connections and its datagrams. A handshake costs a signature, about a millisecond, and the client chooses a part of the cost. So
 * all of its time is charged, and a long one is a debt: the next one begins when the debt is paid. Handshakes that exceed the limit wait.
 * Their sources take turns, so that one source with many connections delays only itself. The loop's thread.
 */
public final class HandshakePacer {
    static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(10);
    static final long BUDGET_NS = WINDOW_NS / 2;

    private final Runnable onRun;
    private final LongSupplier nanoTime;
    /** The handshakes that wait, by source; the source whose turn is next is the first. */
    private final Map<Network, ArrayDeque<Runnable>> waiting = new LinkedHashMap<>();

    private long checkedNs;
    private long leftNs = BUDGET_NS;
    private boolean scheduled;

    /**
     * Creates a pacer for one event loop.
     *
     * @param onRun called when a handshake is computed: its client will answer soon
     */
    public HandshakePacer(Runnable onRun) {
        this(onRun, System::nanoTime);
    }

    HandshakePacer(Runnable onRun, LongSupplier nanoTime) {
        this.onRun = onRun;
        this.nanoTime = nanoTime;
        this.checkedNs = nanoTime.getAsLong();
    }

    /**
     * Runs a handshake's computation, at once if there is time, else in its turn on the loop.
     *
     * @return how many of the source wait now
     */
    int run(Network source, Runnable handshake, ScheduledExecutorService loop) {
        if (waiting.isEmpty() && hasTime()) {
            measure(handshake);
            return 0;
        }
        ArrayDeque<Runnable> ofSource = waiting.computeIfAbsent(source, unused -> new ArrayDeque<>());
        ofSource.add(handshake);
        schedule(loop);
        return ofSource.size();
    }

    /** Charges a later part of a handshake, which the client must not wait for. */
    void measure(Runnable computation) {
        long startNs = nanoTime.getAsLong();
        onRun.run();
        try {
            computation.run();
        } finally {
            leftNs -= nanoTime.getAsLong() - startNs;
        }
    }

    /** True if a client waits for its turn. */
    public boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    private boolean hasTime() {
        long nowNs = nanoTime.getAsLong();
        leftNs = Math.min(BUDGET_NS, leftNs + (nowNs - checkedNs) / 2);
        checkedNs = nowNs;
        return leftNs > 0;
    }

    private void schedule(ScheduledExecutorService loop) {
        if (!scheduled) {
            scheduled = true;
            // Until half of the budget is there, so that several begin together.
            long delayNs = Math.max(0, BUDGET_NS - 2 * leftNs);
            var unused = loop.schedule(() -> runWaiting(loop), delayNs, TimeUnit.NANOSECONDS);
        }
    }

    private void runWaiting(ScheduledExecutorService loop) {
        scheduled = false;
        try {
            while (!waiting.isEmpty() && hasTime()) {
                measure(next());
            }
        } finally {
            if (!waiting.isEmpty()) {
                schedule(loop);
            }
        }
    }

    private Runnable next() {
        var first = waiting.entrySet().iterator().next();
        Network source = first.getKey();
        ArrayDeque<Runnable> ofSource = first.getValue();
        Runnable handshake = ofSource.remove();
        waiting.remove(source);
        if (!ofSource.isEmpty()) {
            waiting.put(source, ofSource);
        }
        return handshake;
    }
}
