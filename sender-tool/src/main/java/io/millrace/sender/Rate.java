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
record Rate(long datagrams, long seconds) {
    /** No schedule: each datagram is due as soon as the one before it has left. */
    static final Rate MAX = new Rate(0, 1);

    static final String TAKES = "takes a rate in datagrams a second from 0.001 to 1000M, whole from 1k on and with at"
            + " most three decimals below, such as 500, 0.5, 100k or 1.2M; or max";

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);
    private static final BigDecimal HIGHEST = BigDecimal.valueOf(1_000_000_000);

    /** Reads what {@link #TAKES} describes. */
    static Rate parse(String text) {
        if (text.equals("max")) {
            return MAX;
        }
        BigDecimal number = OptionValues.suffixed(text);
        if (number == null
                || number.signum() <= 0
                || number.compareTo(HIGHEST) > 0
                || number.scale() > (number.compareTo(THOUSAND) < 0 ? 3 : 0)) {
            throw OptionValues.refused(text, TAKES);
        }
        // These bounds keep (n % datagrams) * seconds * 10^9 in dueNanos within a long.
        long seconds = number.scale() > 0 ? 1000 : 1;
        return new Rate(number.multiply(BigDecimal.valueOf(seconds)).longValueExact(), seconds);
    }

    boolean isMax() {
        return datagrams == 0;
    }

    /** When datagram {@code n}, counted from 0, is due, in nanoseconds after the start; 0 for {@link #MAX}. */
    long dueNanos(long n) {
        if (isMax()) {
            return 0;
        }
        long periodNanos = seconds * NANOS_PER_SECOND;
        return n / datagrams * periodNanos + n % datagrams * periodNanos / datagrams;
    }

    /** How many datagrams are due before {@code nanos} have passed; the one at 0 counts. Not for {@link #MAX}. */
    BigInteger dueWithin(long nanos) {
        BigInteger period = BigInteger.valueOf(seconds * NANOS_PER_SECOND);
        BigInteger scaled = BigInteger.valueOf(nanos).multiply(BigInteger.valueOf(datagrams));
        return scaled.add(period).subtract(BigInteger.ONE).divide(period);
    }

    /** Datagrams a second, exactly; 0 for {@link #MAX}. */
    BigDecimal perSecond() {
        return BigDecimal.valueOf(datagrams).divide(BigDecimal.valueOf(seconds));
    }
}
