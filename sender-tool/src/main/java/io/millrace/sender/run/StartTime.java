package io.millrace.sender.run;

/**
 * The start of a run, the same for all its threads.
 *
 * @param nanoTime on the monotonic clock
 * @param epochMicros on the wall clock
 */
record StartTime(long nanoTime, long epochMicros) {
    static StartTime now(WaitClock clock) {
        return new StartTime(clock.nanoTime(), clock.epochMicros());
    }
}
