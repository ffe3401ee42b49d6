package io.millrace.bench.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Benchmark of the handoff of 256 KiB slabs between two threads, in ns per slab that is taken, written to (8 bytes), offered,
 * read, and released; both threads spin. A slab holds more than 1,000 datagrams, so a difference of 100 ns per slab is below
 * 0.1 ns per datagram. {@code -prof gc} shows the allocation of a queue. Needs two CPUs.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar RingBenchmark -prof gc}</pre>
 */
@State(Scope.Benchmark)
public class RingBenchmark extends Suite {
    private static final int SPINS = 1000;

    /** See {@link Handoffs}. */
    @Param({"slab-ring", "jctools-mpsc", "array-blocking-queue", "disruptor", "agrona"})
    @SuppressWarnings("NullAway.Init") // Set by JMH.
    private String ring;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Handoff handoff;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Thread consumer;

    private volatile boolean stopping;

    /** The state of the offering thread; JMH pads it against false sharing. */
    @State(Scope.Thread)
    public static class Offered {
        private long count;

        /** A new handoff begins with 0. */
        @Setup
        public void clear() {
            count = 0;
        }
    }

    /** Starts the thread that takes. */
    @Setup
    public void start() {
        handoff = Handoffs.create(ring);
        stopping = false;
        consumer = new Thread(this::consume, "ring-consumer");
        consumer.start();
    }

    private void consume() {
        long expected = 0;
        int tries = 0;
        while (!stopping) {
            long taken = handoff.take();
            if (taken == Handoff.NOTHING) {
                idle(tries++);
                continue;
            }
            if (taken != expected) {
                throw new IllegalStateException("slab " + taken + " instead of " + expected);
            }
            expected++;
            tries = 0;
        }
    }

    /** On a busy host the other thread may not be running, and only spinning would delay it. */
    @SuppressWarnings("ThreadPriorityCheck") // Intended, see above.
    private static void idle(int tries) {
        if (tries < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    /** Ends it. */
    @TearDown
    public void stop() throws InterruptedException {
        stopping = true;
        consumer.join();
    }

    /** Hands off one slab. */
    @Benchmark
    public void handoff(Offered offered) {
        int tries = 0;
        while (!handoff.offer(offered.count)) {
            if (!consumer.isAlive()) {
                throw new IllegalStateException("the consumer has failed");
            }
            idle(tries++);
        }
        offered.count++;
    }
}
