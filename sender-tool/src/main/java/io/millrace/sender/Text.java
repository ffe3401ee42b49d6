package io.millrace.sender;

import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers and lines for people, the same in every locale. */
final class Text {
    private Text() {}

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency of its own
    static String format(String format, @Nullable Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    /** The number without an exponent and without trailing zeros. */
    static String plain(double number) {
        return plain(BigDecimal.valueOf(number));
    }

    static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }

    /** "1 source", "2 sources". */
    static String counted(long count, String noun) {
        return format("%,d %s", count, count == 1 ? noun : noun + "s");
    }
}
