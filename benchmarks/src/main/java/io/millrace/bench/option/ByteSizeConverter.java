package io.millrace.bench.option;

import io.millrace.sender.value.Quantity;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;

/** Converter of the size of a receive buffer: bytes, or with the suffix k, m or g. */
public final class ByteSizeConverter implements ITypeConverter<Integer> {
    private static final int MIN_BYTES = 1 << 10;

    /** The kernel doubles the size, and that has to fit an int. */
    private static final int MAX_BYTES = Integer.MAX_VALUE / 2;

    @Override
    public Integer convert(String text) {
        String digits = text.toLowerCase(Locale.ROOT).replaceAll("(b|ib)$", "");
        int shift = digits.endsWith("k") ? 10 : digits.endsWith("m") ? 20 : digits.endsWith("g") ? 30 : 0;
        try {
            long value = Math.multiplyExact(
                    Long.parseLong(shift == 0 ? digits : digits.substring(0, digits.length() - 1)), 1L << shift);
            if (value >= MIN_BYTES && value <= MAX_BYTES) {
                return (int) value;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // The message is below.
        }
        throw Quantity.invalid(text, "accepts bytes from 1k to 1023m, such as 64m or 1000000");
    }
}
