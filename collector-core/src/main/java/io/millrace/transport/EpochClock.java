package io.millrace.transport;

import java.time.Instant;

/** A clock that returns the time in ns since the Unix epoch. */
@FunctionalInterface
public interface EpochClock {
    /** The current time, in ns since the Unix epoch. */
    long epochNs();

    /**
     * Creates a system clock that costs one {@link System#nanoTime()} per call and rarely allocates. It measures the
     * offset to the wall clock every second, so it follows steps of the wall clock in both directions. One thread.
     */
    static EpochClock system() {
        return new Sampled();
    }

    /** Monotonic time plus an offset measured every second. */
    final class Sampled implements EpochClock {
        private static final int ATTEMPTS = 5;
        private static final long CLOSE_ENOUGH_NS = 5_000;
        private static final long INTERVAL_NS = 1_000_000_000L;

        private long offsetNs;
        private long sampledAtNs;

        private Sampled() {
            sample(System.nanoTime());
        }

        @Override
        public long epochNs() {
            long now = System.nanoTime();
            if (now - sampledAtNs > INTERVAL_NS) {
                sample(now);
                now = System.nanoTime();
            }
            return now + offsetNs;
        }

        private void sample(long now) {
            // The thread can be preempted between the two clock readings: use the closest of a few pairs.
            long closest = Long.MAX_VALUE;
            for (int i = 0; i < ATTEMPTS && closest > CLOSE_ENOUGH_NS; i++) {
                long before = System.nanoTime();
                Instant instant = Instant.now();
                long apart = System.nanoTime() - before;
                if (apart < closest) {
                    closest = apart;
                    offsetNs = instant.getEpochSecond() * 1_000_000_000L + instant.getNano() - before - apart / 2;
                }
            }
            sampledAtNs = now;
        }
    }
}
