package io.millrace.app;

import io.millrace.app.config.IsoTime;
import io.millrace.app.config.ValueType;
import io.millrace.app.config.ValueTypes;
import io.millrace.filter.Filter;
import io.millrace.format.LineFormat;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values options take, from text: the types of the configuration, for picocli. */
final class Values {
    private Values() {}

    /** Lets an option take what a setting takes. */
    private abstract static class Converter<T> implements ITypeConverter<T> {
        private final ValueType<T> type;

        Converter(ValueType<T> type) {
            this.type = type;
        }

        @Override
        public T convert(String text) {
            try {
                return type.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** The value of {@code --time-zone}. */
    static final class Zone extends Converter<ZoneId> {
        Zone() {
            super(ValueTypes.ZONE);
        }
    }

    /** The value of {@code --format}. */
    static final class Format extends Converter<LineFormat> {
        Format() {
            super(ValueTypes.FORMAT);
        }
    }

    /** The value of {@code --where}. */
    static final class Where extends Converter<Filter> {
        Where() {
            super(ValueTypes.FILTER);
        }
    }

    /** ISO 8601: an instant, a time with an offset, or a local time or date in the zone of this host. */
    static Instant instant(String option, String takes, String text) {
        Instant instant = IsoTime.parse(text);
        if (instant == null) {
            throw new IllegalArgumentException(option + " takes " + takes + ", not '" + text + "'");
        }
        return instant;
    }

    /** Bytes for a person: {@code 64 MiB}. */
    static String bytes(long bytes) {
        String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
        int unit = 0;
        double value = bytes;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f %s", value, units[unit])
                : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
    }
}
