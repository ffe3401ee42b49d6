package io.millrace.sender.run;

/** A clock that moves only when somebody waits, or when a test moves it. */
final class FakeClock implements WaitClock {
    private static final long SPIN_TAKES = 1_000;

    long now;
    long epochMicros = 1_700_000_000_000_000L;
    long parks;
    long spins;
    /** After this long a park ends, too early. */
    long longestPark = Long.MAX_VALUE;

    FakeClock(long origin) {
        now = origin;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public long epochMicros() {
        return epochMicros;
    }

    @Override
    public void park(long nanos) {
        parks++;
        now += Math.min(nanos, longestPark);
    }

    @Override
    public void spin() {
        spins++;
        now += SPIN_TAKES;
    }
}
