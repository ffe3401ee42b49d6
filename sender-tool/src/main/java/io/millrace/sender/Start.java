package io.millrace.sender;

/**
 * The moment all times of a run count from, the same for all its threads.
 *
 * @param nanoTime on the monotonic clock
 * @param epochMicros on the wall clock
 */
record Start(long nanoTime, long epochMicros) {
    static Start now(WaitClock clock) {
        return new Start(clock.nanoTime(), clock.epochMicros());
    }
}
