package io.millrace.agent;

import java.time.Instant;

/** The time of day in ns since 1970-01-01T00:00Z. */
@FunctionalInterface
public interface EpochClock {
    /** The time of day now, in ns since the epoch. */
    long epochNs();

    /**
     * A clock of the system's time that costs one {@link System#nanoTime()} a call and allocates nothing on the way. It
     * takes the offset to the time of day again each second, and so follows steps of the system's clock, both ways. One
     * thread.
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
            // A thread can lose its CPU between the two clocks: the closest of a few readings counts.
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
