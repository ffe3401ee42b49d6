package io.millrace.sender.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * Parser of the counts, rates and durations on the command line: {@code 500}, {@code 20k}, {@code 1.5M}, {@code 500ms}.
 * Its exceptions quote the text and say what is accepted; picocli adds the name of the option.
 */
public final class Quantity {
    private static final String RATE_TAKES =
            "accepts a rate in datagrams per second from 0.001 to 1000M, an integer from 1k on"
                    + " and with up to three decimals below, such as 500, 0.5, 100k or 1.2M; or max; or"
                    + " steps and ramps such as 100k:10s,200k:10s or 10k..1M:60s";

    private static final String COUNT_TAKES = "accepts an integer from 1 on, such as 5000, 100k or 1.5M";
    private static final Pattern SUFFIXED = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,18})?)([kM]?)");
    private static final Pattern DURATION = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)(ms|s|m|h)");
    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);
    private static final BigDecimal MAX_RATE = BigDecimal.valueOf(1_000_000_000);
    private static final BigInteger MAX_COUNT = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigDecimal MAX_DURATION_NANOS =
            BigDecimal.valueOf(Duration.ofDays(365).toNanos());

    private Quantity() {}

    /** The exception for a value that cannot be parsed. */
    public static TypeConversionException invalid(String text, String takes) {
        return new TypeConversionException("got '" + text + "', but " + takes);
    }

    /** Parses a count of 1 or more. */
    public static long count(String text) {
        BigDecimal number = suffixed(text);
        if (number == null
                || number.signum() <= 0
                || number.scale() > 0
                || number.toBigInteger().compareTo(MAX_COUNT) > 0) {
            throw invalid(text, COUNT_TAKES);
        }
        return number.longValueExact();
    }

    /** Parses a rate in datagrams per second. */
    public static BigDecimal rate(String text) {
        BigDecimal number = suffixed(text);
        if (number == null
                || number.signum() <= 0
                || number.compareTo(MAX_RATE) > 0
                || number.scale() > (number.compareTo(THOUSAND) < 0 ? 3 : 0)) {
            throw invalid(text, RATE_TAKES);
        }
        return number;
    }

    /** Parses a duration of up to a year. */
    public static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        BigDecimal nanos = matcher.matches()
                ? new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unitNanos(matcher.group(2))))
                : BigDecimal.ZERO;
        if (nanos.compareTo(BigDecimal.ONE) < 0 || nanos.compareTo(MAX_DURATION_NANOS) > 0) {
            throw invalid(text, "accepts a duration of up to a year with its unit, such as 500ms, 10s, 2m or 1h");
        }
        return Duration.ofNanos(nanos.longValue());
    }

    private static long unitNanos(String unit) {
        return switch (unit) {
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            default -> 3_600_000_000_000L;
        };
    }

    /** A decimal number with the suffix k or M, without trailing zeros; null if the text is none. */
    private static @Nullable BigDecimal suffixed(String text) {
        Matcher matcher = SUFFIXED.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        int zeros = switch (matcher.group(2)) {
            case "k" -> 3;
            case "M" -> 6;
            default -> 0;
        };
        return new BigDecimal(matcher.group(1)).scaleByPowerOfTen(zeros).stripTrailingZeros();
    }
}
