package io.millrace.bench.command;

import io.millrace.sender.Quantity;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** WholeNumber numbers on the command line, as the sender takes them: counts, and rates a second. 0 is one too. */
public final class WholeNumber implements ITypeConverter<Long> {
    /** Made by picocli. */
    public WholeNumber() {}

    @Override
    public Long convert(String text) {
        try {
            return text.equals("0") ? 0 : Quantity.count(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
