package io.millrace.app;

import io.millrace.filter.Filter;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The value of {@code --where}. */
final class FilterExpression implements ITypeConverter<Filter> {
    @Override
    public Filter convert(String text) {
        try {
            return Filter.compile(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
