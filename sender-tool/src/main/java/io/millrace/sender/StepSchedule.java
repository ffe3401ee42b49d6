package io.millrace.sender;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import picocli.CommandLine.TypeConversionException;

/**
 * Rates that follow each other: steps with one rate, and ramps from one to another in a straight line. The first
 * datagram of each is due at its beginning, so that a step's times do not depend on what was before it.
 *
 * <p>Within a ramp from rate a to rate b in the time T, datagram m is due at the time t at which a·t + (b - a)·t²/(2·T),
 * the area under the line, is m.
 */
final class StepSchedule implements Schedule {
    static final String TAKES = "steps and ramps such as 100k:10s,200k:10s or 10k..1M:60s";

    private static final java.util.regex.Pattern STEP =
            java.util.regex.Pattern.compile("([^.:,]+(?:\\.\\d+[kM]?)?)(?:\\.\\.([^:,]+))?:([^:,]+)");
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<Step> steps = new ArrayList<>();
    private long count;
    private long nanos;

    /**
     * One of them.
     *
     * @param from the rate at its beginning
     * @param to the rate at its end
     * @param firstNumber the number of its first datagram
     * @param count how many it has
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
            // Of the two forms of the solution the one that subtracts nothing, and so is exact where growth is small.
            double seconds = 2.0 * m / (a + Math.sqrt(Math.max(a * a + 2 * growth * m, 0)));
            return startNanos + Math.min(Math.round(seconds * NANOS_PER_SECOND), nanos - 1);
        }
    }

    private StepSchedule() {}

    /** Reads steps and ramps with commas between them. */
    static StepSchedule parse(String text) {
        StepSchedule schedule = new StepSchedule();
        for (String step : text.split(",", -1)) {
            Matcher matcher = STEP.matcher(step);
            try {
                if (!matcher.matches()) {
                    throw refused(text, step);
                }
                Rate from = Rate.parse(matcher.group(1));
                Rate to = matcher.group(2) == null ? from : Rate.parse(matcher.group(2));
                if (from.isMax() || to.isMax()) {
                    throw refused(text, step);
                }
                schedule.add(
                        from,
                        to,
                        OptionValues.DurationConverter.duration(matcher.group(3))
                                .toNanos());
            } catch (TypeConversionException e) {
                throw refused(text, step);
            } catch (ArithmeticException e) {
                throw OptionValues.refused(text, "takes steps of less than 292 years together");
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

    private static TypeConversionException refused(String text, String step) {
        return OptionValues.refused(
                text,
                "takes RATE:TIME and RATE..RATE:TIME with commas between them, such as 100k:10s,200k:10s or 10k..1M:60s,"
                        + " and cannot read '" + step + "'");
    }

    /** How many datagrams are due in a step: the area under its line, and a part of one counts. */
    private static long count(Rate from, Rate to, long nanos) {
        return from.perSecond()
                .add(to.perSecond())
                .multiply(BigDecimal.valueOf(nanos))
                .divide(BigDecimal.valueOf(2_000_000_000L))
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
    }

    /** How many datagrams all steps have. */
    long count() {
        return count;
    }

    /** How long all steps last. */
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
