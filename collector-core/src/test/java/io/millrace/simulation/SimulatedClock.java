package io.millrace.simulation;

/** A clock that moves only when the simulation says so. */
final class SimulatedClock {
    private static final long EPOCH_NS = 1_700_000_000_000_000_000L;

    private long nowNs = 1_000_000_000L;

    long nanoTime() {
        return nowNs;
    }

    long epochNs() {
        return EPOCH_NS + nowNs;
    }

    void advance(long ns) {
        nowNs += ns;
    }
}
