package io.millrace.sender;

import java.math.BigInteger;

/** When each datagram of a run is due. Open loop: the times are fixed before the run, whatever happens in it. */
interface Schedule {
    /** Whether there are no times: each datagram is due as soon as the one before it has left. */
    boolean isMax();

    /**
     * When datagram {@code n}, counted from 0, is due, in nanoseconds after the start; 0 without times. For an {@code n}
     * behind the last datagram it is the end of the schedule.
     */
    long dueNanos(long n);

    /** How many datagrams are due before {@code nanos} have passed; the one at 0 counts. Not without times. */
    BigInteger dueWithin(long nanos);

    /** The mean rate the first {@code n} datagrams are asked for, in datagrams per second; 0 without times. */
    default double askedRate(long n) {
        long nanos = dueNanos(n);
        return nanos == 0 ? 0 : n * 1e9 / nanos;
    }
}
