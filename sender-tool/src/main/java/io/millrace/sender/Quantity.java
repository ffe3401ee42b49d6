package io.millrace.sender;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** Reads counts and rates as this tool's options take them: {@code 500}, {@code 20k}, {@code 1.5M}. */
public final class Quantity {
    /** What {@link #count} takes, for the message that says so. */
    public static final String COUNT_TAKES = "takes a whole number from 1 on, such as 5000, 100k or 1.5M";

    /** What {@link #rate} takes, for the message that says so. */
    public static final String RATE_TAKES = "takes a rate in datagrams a second from 0.001 to 1000M, whole from 1k on"
            + " and with at most three decimals below, such as 500, 0.5, 100k or 1.2M";

    private static final java.util.regex.Pattern SUFFIXED =
            java.util.regex.Pattern.compile("(\\d{1,18}(?:\\.\\d{1,18})?)([kM]?)");
    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);
    private static final BigDecimal HIGHEST_RATE = BigDecimal.valueOf(1_000_000_000);
    private static final BigInteger HIGHEST_COUNT = BigInteger.valueOf(Long.MAX_VALUE);

    private Quantity() {}

    /**
     * Reads a count.
     *
     * @throws IllegalArgumentException when it is none; the message quotes it and says what is taken
     */
    public static long count(String text) {
        BigDecimal number = suffixed(text);
        if (number == null
                || number.signum() <= 0
                || number.scale() > 0
                || number.toBigInteger().compareTo(HIGHEST_COUNT) > 0) {
            throw new IllegalArgumentException("got '" + text + "', but " + COUNT_TAKES);
        }
        return number.longValueExact();
    }

    /**
     * Reads a rate in datagrams per second.
     *
     * @throws IllegalArgumentException when it is none; the message quotes it and says what is taken
     */
    public static BigDecimal rate(String text) {
        BigDecimal number = suffixed(text);
        if (number == null
                || number.signum() <= 0
                || number.compareTo(HIGHEST_RATE) > 0
                || number.scale() > (number.compareTo(THOUSAND) < 0 ? 3 : 0)) {
            throw new IllegalArgumentException("got '" + text + "', but " + RATE_TAKES);
        }
        return number;
    }

    /** A decimal number with k for thousands or M for millions, without trailing zeros; null when it is none. */
    static @Nullable BigDecimal suffixed(String text) {
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
