package io.millrace.sender.schedule;

import io.millrace.sender.value.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Schedule with a constant rate, as a fraction of integers: with a double, due times would drift in a long run.
 *
 * @param datagrams the number of datagrams due per period; 0 only in {@link #MAX}
 * @param seconds the period
 */
public record Rate(long datagrams, long seconds) implements Schedule {
    /** No due times: each datagram is due as soon as the previous one was sent. */
    public static final Rate MAX = new Rate(0, 1);

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Parses a constant rate or {@code max}. */
    public static Rate parse(String text) {
        if (text.equals("max")) {
            return MAX;
        }
        BigDecimal number = Quantity.rate(text);
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

    /** The exact rate. Computed from the first n datagrams it would depend on n. */
    @Override
    public double askedRate(long n) {
        return perSecond().doubleValue();
    }
}
