package io.millrace.bench.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The handoff of 256 KiB slabs between two threads: ns for each slab that is taken free, written to (8 bytes), handed
 * over, read, and released; both threads spin. A slab holds a thousand datagrams and more, so a difference of 100 ns
 * here is a tenth of one a datagram. {@code -prof gc} shows what a queue allocates. Needs two CPUs.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar RingBenchmark -prof gc}</pre>
 */
@State(Scope.Benchmark)
public class RingBenchmark extends Suite {
    private static final int SPINS = 1000;

    /** How: see {@link Handoffs}. */
    @Param({"slab-ring", "jctools-mpsc", "array-blocking-queue", "disruptor", "agrona"})
    @SuppressWarnings("NullAway.Init") // Set by JMH.
    private String ring;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Handoff handoff;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Thread consumer;

    private volatile boolean stopping;

    /** What the offering thread writes, on cache lines of its own: JMH sees to that for each state. */
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
                throw new IllegalStateException("slab " + taken + " came in the place of " + expected);
            }
            expected++;
            tries = 0;
        }
    }

    /** The other thread may not be running at all: on a busy host, spinning alone would keep it from doing so. */
    @SuppressWarnings("ThreadPriorityCheck") // It is meant: see above.
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

    /** One slab. */
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
