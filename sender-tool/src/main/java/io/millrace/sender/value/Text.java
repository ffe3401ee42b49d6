package io.millrace.sender.value;

import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formatter of numbers and messages, independent of the locale. */
public final class Text {
    private Text() {}

    /** {@link String#format} in the root locale. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency of its own
    public static String format(String format, @Nullable Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    /** The number without an exponent and without trailing zeros. */
    public static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    /** A count with its noun: "1 source", "2 sources". */
    public static String counted(long count, String noun) {
        return format("%,d %s", count, count == 1 ? noun : noun + "s");
    }
}
