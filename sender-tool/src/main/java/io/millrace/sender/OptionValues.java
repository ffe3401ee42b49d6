package io.millrace.sender;

import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the values of the command's options. What cannot be read is refused with a text that quotes it and says what
 * the option takes; picocli puts the option's name before it.
 */
final class OptionValues {
    private static final java.util.regex.Pattern DURATION =
            java.util.regex.Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)(ms|s|m|h)");
    private static final java.util.regex.Pattern HOST_PORT =
            java.util.regex.Pattern.compile("(?:\\[([^\\[\\]]+)]|([^:\\[\\]]+)):(\\d{1,5})");
    private static final java.util.regex.Pattern RUN_ID = java.util.regex.Pattern.compile("[0-9a-f]{1,8}");
    private static final java.util.regex.Pattern SEED = java.util.regex.Pattern.compile("-?\\d{1,18}");
    private static final BigDecimal MIN_SPEED = new BigDecimal("0.001");
    private static final BigDecimal MAX_SPEED = BigDecimal.valueOf(1000);
    private static final int MAX_THREADS = 64;
    private static final int MAX_BURST = 1_000_000;
    private static final int HEXADECIMAL = 16;
    private static final int MAX_PORT = 65_535;
    private static final BigDecimal MAX_DURATION_NANOS =
            BigDecimal.valueOf(Duration.ofDays(365).toNanos());

    private OptionValues() {}

    /**
     * Where to send.
     *
     * @param text as it was given
     * @param address resolved
     */
    record Target(String text, InetSocketAddress address) {}

    static final class TargetConverter implements ITypeConverter<Target> {
        @Override
        public Target convert(String text) {
            Matcher matcher = HOST_PORT.matcher(text);
            int port = matcher.matches() ? Integer.parseInt(matcher.group(3)) : 0;
            if (port < 1 || port > MAX_PORT) {
                throw refused(
                        text,
                        "takes HOST:PORT with a port from 1 to 65535, such as 127.0.0.1:5514, localhost:5514 or"
                                + " [::1]:5514");
            }
            String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            try {
                return new Target(text, new InetSocketAddress(InetAddress.getByName(host), port));
            } catch (UnknownHostException e) {
                throw refused(text, "takes a host that can be resolved, which '" + host + "' cannot");
            }
        }
    }

    static final class ScheduleConverter implements ITypeConverter<Schedule> {
        @Override
        public Schedule convert(String text) {
            return text.indexOf(':') < 0 ? Rate.parse(text) : StepSchedule.parse(text);
        }
    }

    static final class CountConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return Quantity.count(text);
            } catch (IllegalArgumentException e) {
                throw refused(text, Quantity.COUNT_TAKES);
            }
        }
    }

    static final class DurationConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return duration(text);
        }

        static Duration duration(String text) {
            Matcher matcher = DURATION.matcher(text);
            BigDecimal nanos = matcher.matches()
                    ? new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unitNanos(matcher.group(2))))
                    : BigDecimal.ZERO;
            if (nanos.compareTo(BigDecimal.ONE) < 0 || nanos.compareTo(MAX_DURATION_NANOS) > 0) {
                throw refused(text, "takes a time of at most a year with its unit, such as 500ms, 10s, 2m or 1h");
            }
            return Duration.ofNanos(nanos.longValue());
        }

        private static long unitNanos(String unit) {
            return switch (unit) {
                case "ms" -> 1_000_000L;
                case "s" -> 1_000_000_000L;
                case "m" -> 60_000_000_000L;
                default -> 3_600_000_000_000L;
            };
        }
    }

    static final class SizesConverter implements ITypeConverter<Sizes> {
        @Override
        public Sizes convert(String text) {
            return Sizes.parse(text);
        }
    }

    static final class PatternConverter implements ITypeConverter<Pattern> {
        @Override
        public Pattern convert(String text) {
            return Pattern.parse(text);
        }
    }

    static final class SourcesConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return wholeNumber(text, 1, Layout.MAX_SOURCES, "sources");
        }
    }

    static final class SourceNetConverter implements ITypeConverter<SourceNet> {
        @Override
        public SourceNet convert(String text) {
            return SourceNet.parse(text);
        }
    }

    static final class ThreadsConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return wholeNumber(text, 1, MAX_THREADS, "threads");
        }
    }

    static final class BurstConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return wholeNumber(text, 1, MAX_BURST, "datagrams");
        }
    }

    static final class GsoConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return wholeNumber(text, 2, Layout.MAX_GSO, "datagrams");
        }
    }

    /**
     * A choice of means.
     *
     * @param io null for the one that is best here
     */
    record IoChoice(@Nullable Io io) {}

    static final class IoConverter implements ITypeConverter<IoChoice> {
        @Override
        public IoChoice convert(String text) {
            return new IoChoice(Io.parse(text));
        }
    }

    static final class SpeedConverter implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            BigDecimal number = Quantity.suffixed(text);
            if (number == null || number.compareTo(MIN_SPEED) < 0 || number.compareTo(MAX_SPEED) > 0) {
                throw refused(text, "takes a factor from 0.001 to 1000, such as 2 or 0.5");
            }
            return number.doubleValue();
        }
    }

    static final class SeedConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            if (!SEED.matcher(text).matches()) {
                throw refused(text, "takes a whole number of at most 18 digits");
            }
            return Long.valueOf(text);
        }
    }

    static final class RunIdConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            if (!RUN_ID.matcher(text).matches()) {
                throw refused(text, "takes 1 to 8 lower-case hexadecimal digits, such as 2a or 1f0c93ab");
            }
            return Integer.parseUnsignedInt(text, HEXADECIMAL);
        }
    }

    static final class PercentConverter implements ITypeConverter<Double> {
        private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

        @Override
        public Double convert(String text) {
            BigDecimal number = Quantity.suffixed(text);
            if (number == null || number.compareTo(HUNDRED) > 0 || !Character.isDigit(text.charAt(text.length() - 1))) {
                throw refused(text, "takes a percentage from 0 to 100, such as 1 or 0.5");
            }
            return number.doubleValue();
        }
    }

    static TypeConversionException refused(String text, String takes) {
        return new TypeConversionException("got '" + text + "', but " + takes);
    }

    private static int wholeNumber(String text, int least, int most, String of) {
        BigDecimal number = text.endsWith("k") || text.endsWith("M") ? null : Quantity.suffixed(text);
        if (number == null
                || number.scale() > 0
                || number.compareTo(BigDecimal.valueOf(least)) < 0
                || number.compareTo(BigDecimal.valueOf(most)) > 0) {
            throw refused(text, Text.format("takes a whole number of %s from %d to %d", of, least, most));
        }
        return number.intValueExact();
    }
}
