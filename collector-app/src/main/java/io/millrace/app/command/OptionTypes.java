package io.millrace.app.command;

import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigTypes;
import io.millrace.app.config.PointInTime;
import io.millrace.message.Filter;
import io.millrace.message.LineFormat;
import io.millrace.message.TextCharset;
import io.millrace.output.OutputSettings;
import io.millrace.setting.SettingType;
import io.millrace.setting.SettingTypes;
import java.time.Instant;
import java.time.ZoneId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The types of the configuration as converters for options. */
public final class OptionTypes {
    private OptionTypes() {}

    /** Converter that accepts the values of a setting's type. */
    private abstract static class Converter<T> implements ITypeConverter<T> {
        private final SettingType<T> type;

        Converter(SettingType<T> type) {
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
            super(SettingTypes.ZONE);
        }
    }

    static final class Charset extends Converter<TextCharset> {
        Charset() {
            super(Config.CHARSETS);
        }
    }

    static final class Rate extends Converter<Long> {
        Rate() {
            super(SettingTypes.RATE);
        }
    }

    static final class Format extends Converter<LineFormat> {
        Format() {
            super(OutputSettings.FORMAT.type());
        }
    }

    /** The value of {@code --format} of {@code read}, which writes capture files too. */
    static final class FormatOrPcap implements ITypeConverter<LineFormat> {
        @Override
        public LineFormat convert(String text) {
            if (text.equals("pcap")) {
                return new PcapFormat();
            }
            try {
                return new Format().convert(text);
            } catch (TypeConversionException e) {
                throw new TypeConversionException(e.getMessage() + "; pcap is for a capture file");
            }
        }
    }

    static final class Where extends Converter<Filter> {
        Where() {
            super(ConfigTypes.FILTER);
        }
    }

    /**
     * Parses a point in time.
     *
     * @param takes what else the option accepts, such as {@code begin or }; empty for nothing
     */
    public static Instant instant(String option, String takes, String text) {
        Instant instant = PointInTime.parse(text);
        if (instant == null) {
            throw new IllegalArgumentException(option + " accepts " + takes + PointInTime.TAKES + ", not '" + text + "'"
                    + SettingTypes.durationMeant(text));
        }
        return instant;
    }
}
