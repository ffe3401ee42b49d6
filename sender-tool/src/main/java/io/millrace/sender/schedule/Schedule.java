package io.millrace.sender.schedule;

import java.math.BigInteger;

/** The due time of each datagram of a run. Open loop: due times are fixed before the run. */
public interface Schedule {
    /** Whether there are no due times: each datagram is due as soon as the previous one was sent. */
    boolean isMax();

    /**
     * The due time of datagram {@code n}, counted from 0, in nanoseconds after the start; 0 without due times. For an
     * {@code n} after the last datagram it is the end of the schedule.
     */
    long dueNanos(long n);

    /** How many datagrams are due before {@code nanos} have passed, including the one at 0. Only with due times. */
    BigInteger dueWithin(long nanos);

    /** The mean rate of the first {@code n} datagrams in datagrams per second; 0 without due times. */
    default double askedRate(long n) {
        long nanos = dueNanos(n);
        return nanos == 0 ? 0 : n * 1e9 / nanos;
    }
}
