package io.millrace.sender;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * How many datagrams are due in how many seconds, and so when each one is: the schedule of a run. A whole fraction, not
 * a double, so that no datagram's time drifts however long the run.
 *
 * @param datagrams how many are due in each period; 0 only in {@link #MAX}
 * @param seconds the period
 */
record Rate(long datagrams, long seconds) implements Schedule {
    /** No schedule: each datagram is due as soon as the one before it has left. */
    static final Rate MAX = new Rate(0, 1);

    static final String TAKES = Quantity.RATE_TAKES + "; or max; or " + StepSchedule.TAKES;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Reads what {@link #TAKES} describes. */
    static Rate parse(String text) {
        if (text.equals("max")) {
            return MAX;
        }
        BigDecimal number;
        try {
            number = Quantity.rate(text);
        } catch (IllegalArgumentException e) {
            throw OptionValues.refused(text, TAKES);
        }
        // These bounds keep (n % datagrams) * seconds * 10^9 in dueNanos within a long.
        long seconds = number.scale() > 0 ? 1000 : 1;
        return new Rate(number.multiply(BigDecimal.valueOf(seconds)).longValueExact(), seconds);
    }

    @Override
    public boolean isMax() {
        return datagrams == 0;
    }

    @Override
    public long dueNanos(long n) {
        if (isMax()) {
            return 0;
        }
        long periodNanos = seconds * NANOS_PER_SECOND;
        return n / datagrams * periodNanos + n % datagrams * periodNanos / datagrams;
    }

    @Override
    public BigInteger dueWithin(long nanos) {
        BigInteger period = BigInteger.valueOf(seconds * NANOS_PER_SECOND);
        BigInteger scaled = BigInteger.valueOf(nanos).multiply(BigInteger.valueOf(datagrams));
        return scaled.add(period).subtract(BigInteger.ONE).divide(period);
    }

    /** Datagrams per second, exactly; 0 for {@link #MAX}. */
    BigDecimal perSecond() {
        return BigDecimal.valueOf(datagrams).divide(BigDecimal.valueOf(seconds));
    }

    /** Of all of it, and so exact: what the first few datagrams would give depends on where one stops. */
    @Override
    public double askedRate(long n) {
        return perSecond().doubleValue();
    }
}
