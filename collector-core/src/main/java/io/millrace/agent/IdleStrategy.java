package io.millrace.agent;

import java.util.concurrent.locks.LockSupport;

/** An idle strategy: what a thread does between two calls of an {@link Agent}. One instance per thread. */
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what the user chose.
public interface IdleStrategy {
    /**
     * Called after each call of the agent.
     *
     * @param workDone what the agent returned; 0 means idle
     */
    void idle(int workDone);

    /** The strategies a user can choose from. */
    enum Kind {
        /** Busy-spins: the lowest latency, but it uses a whole CPU. */
        SPIN,
        /** Yields to other threads, but never sleeps. */
        YIELD,
        /** Spins and yields for a moment, then sleeps up to a millisecond at a time. */
        PARK;

        /** Creates a strategy for one thread. */
        public IdleStrategy newStrategy() {
            return switch (this) {
                case SPIN ->
                    workDone -> {
                        if (workDone == 0) {
                            Thread.onSpinWait();
                        }
                    };
                case YIELD ->
                    workDone -> {
                        if (workDone == 0) {
                            Thread.yield();
                        }
                    };
                case PARK -> new Parking();
            };
        }
    }

    /** Spins, then yields, then parks twice as long each time. */
    final class Parking implements IdleStrategy {
        private static final int SPINS = 20;
        private static final int YIELDS = 30;
        private static final long MIN_PARK_NS = 10_000;
        private static final long MAX_PARK_NS = 1_000_000;

        private int idleCalls;
        private long parkNs = MIN_PARK_NS;

        @Override
        public void idle(int workDone) {
            if (workDone != 0) {
                idleCalls = 0;
                parkNs = MIN_PARK_NS;
            } else if (idleCalls < SPINS) {
                idleCalls++;
                Thread.onSpinWait();
            } else if (idleCalls < YIELDS) {
                idleCalls++;
                Thread.yield();
            } else {
                LockSupport.parkNanos(this, parkNs);
                parkNs = Math.min(2 * parkNs, MAX_PARK_NS);
            }
        }
    }
}
