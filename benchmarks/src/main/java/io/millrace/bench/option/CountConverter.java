package io.millrace.bench.option;

import io.millrace.sender.value.Quantity;
import picocli.CommandLine.ITypeConverter;

/** Converter of counts and rates on the command line, as for the sender, but including 0. */
public final class CountConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        return text.equals("0") ? 0 : Quantity.count(text);
    }
}
