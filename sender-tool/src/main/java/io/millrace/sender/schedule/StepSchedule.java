package io.millrace.sender.schedule;

import io.millrace.sender.value.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * Schedule of steps with a constant rate and of linear ramps. The first datagram of each is due at its beginning, so that
 * the times of a step do not depend on the steps before.
 *
 * <p>Within a ramp from rate a to rate b in the time T, datagram m is due at the time t at which a·t + (b - a)·t²/(2·T),
 * the area under the line, is m.
 */
public final class StepSchedule implements Schedule {
    private static final Pattern STEP = Pattern.compile("([^.:,]+(?:\\.\\d+[kM]?)?)(?:\\.\\.([^:,]+))?:([^:,]+)");
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<Step> steps = new ArrayList<>();
    private long count;
    private long nanos;

    /**
     * A step or ramp.
     *
     * @param from the rate at its beginning
     * @param to the rate at its end
     * @param firstNumber the number of its first datagram
     * @param count the number of its datagrams
     * @param startNanos when it begins
     * @param nanos how long it lasts
     */
    private record Step(Rate from, Rate to, long firstNumber, long count, long startNanos, long nanos) {
        long dueNanos(long n) {
            long m = n - firstNumber;
            if (from.equals(to)) {
                return startNanos + from.dueNanos(m);
            }
            double a = from.askedRate(m);
            double growth = (to.askedRate(m) - a) / (nanos / NANOS_PER_SECOND);
            // This form of the solution subtracts nothing, so it is exact for a small growth.
            double seconds = 2.0 * m / (a + Math.sqrt(Math.max(a * a + 2 * growth * m, 0)));
            return startNanos + Math.min(Math.round(seconds * NANOS_PER_SECOND), nanos - 1);
        }
    }

    private StepSchedule() {}

    /** Parses steps and ramps, separated by commas. */
    public static StepSchedule parse(String text) {
        StepSchedule schedule = new StepSchedule();
        for (String step : text.split(",", -1)) {
            Matcher matcher = STEP.matcher(step);
            try {
                if (!matcher.matches()) {
                    throw invalidStep(text, step);
                }
                Rate from = Rate.parse(matcher.group(1));
                Rate to = matcher.group(2) == null ? from : Rate.parse(matcher.group(2));
                if (from.isMax() || to.isMax()) {
                    throw invalidStep(text, step);
                }
                schedule.add(from, to, Quantity.duration(matcher.group(3)).toNanos());
            } catch (TypeConversionException e) {
                throw invalidStep(text, step);
            } catch (ArithmeticException e) {
                throw Quantity.invalid(text, "accepts steps of less than 292 years in total");
            }
        }
        return schedule;
    }

    private void add(Rate from, Rate to, long lasts) {
        long has = count(from, to, lasts);
        steps.add(new Step(from, to, count, has, nanos, lasts));
        count = Math.addExact(count, has);
        nanos = Math.addExact(nanos, lasts);
    }

    private static TypeConversionException invalidStep(String text, String step) {
        return Quantity.invalid(
                text,
                "accepts RATE:TIME and RATE..RATE:TIME separated by commas, such as 100k:10s,200k:10s or 10k..1M:60s,"
                        + " and cannot read '" + step + "'");
    }

    /** The number of datagrams due in a step: the area under its line, rounded up. */
    private static long count(Rate from, Rate to, long nanos) {
        return from.perSecond()
                .add(to.perSecond())
                .multiply(BigDecimal.valueOf(nanos))
                .divide(BigDecimal.valueOf(2_000_000_000L))
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
    }

    long count() {
        return count;
    }

    long nanos() {
        return nanos;
    }

    @Override
    public boolean isMax() {
        return false;
    }

    @Override
    public long dueNanos(long n) {
        for (Step step : steps) {
            if (n < step.firstNumber() + step.count()) {
                return step.dueNanos(n);
            }
        }
        return nanos;
    }

    @Override
    public BigInteger dueWithin(long within) {
        long low = 0;
        long high = count;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (dueNanos(middle) < within) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return BigInteger.valueOf(low);
    }
}
