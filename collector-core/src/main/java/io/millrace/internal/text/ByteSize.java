package io.millrace.internal.text;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parser and formatter of sizes: {@code 64 MiB}. */
public final class ByteSize {
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private static final Pattern SIZE = Pattern.compile("(\\d{1,19})\\s*([kmgtpe]?)(?:i?b)?", Pattern.CASE_INSENSITIVE);

    private ByteSize() {}

    /** Parses {@code 65507}, {@code 64KiB} or {@code 64m}, in multiples of 1,024; null if the text is not a size. */
    public static @Nullable Long parse(String text) {
        Matcher matcher = SIZE.matcher(text.strip());
        if (!matcher.matches()) {
            return null;
        }
        int unit = " kmgtpe"
                .indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2).toLowerCase(Locale.ROOT));
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * unit));
        } catch (ArithmeticException | NumberFormatException tooBig) {
            return null;
        }
    }

    /** Formats a limit: in the largest unit in which it is a whole number, so that nothing is rounded. */
    public static String exact(long bytes) {
        int unit = 0;
        if (bytes == Long.MAX_VALUE) {
            return "8 EiB";
        }
        long value = bytes;
        while (value >= 1024 && value % 1024 == 0) {
            value /= 1024;
            unit++;
        }
        return value + " " + (value == 1 && unit == 0 ? "byte" : UNITS[unit]);
    }

    /** Formats a size in the largest unit in which it is at least 1. */
    public static String text(long bytes) {
        int unit = 0;
        double value = bytes;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        if (bytes == 1) {
            return "1 byte";
        }
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
    }
}
