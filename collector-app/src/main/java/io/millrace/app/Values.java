package io.millrace.app;

import io.millrace.agent.Pinning;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values options take, from text; each error says what would be right. */
final class Values {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,10})\\s*([kmg]?)(?:i?b)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
    private static final Pattern HOST_PORT = Pattern.compile("(\\[[^\\]]*\\]|[^:]*):(\\d{1,5})");
    private static final Map<String, Integer> SHIFTS = Map.of("", 0, "k", 10, "m", 20, "g", 30);

    private Values() {}

    /** {@code 65507}, {@code 64KiB}, {@code 64m}: multiples of 1,024. */
    static final class Size implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            Matcher matcher = SIZE.matcher(text.trim());
            if (matcher.matches()) {
                long shift = SHIFTS.getOrDefault(matcher.group(2).toLowerCase(Locale.ROOT), 0);
                long bytes = Long.parseLong(matcher.group(1)) << shift;
                if (bytes <= Integer.MAX_VALUE) {
                    return (int) bytes;
                }
            }
            throw new TypeConversionException(
                    "takes a number of bytes below 2 GiB, with K, M or G if you like, for example 64M, not '" + text
                            + "'");
        }
    }

    /** {@code 1,3} or {@code 0-3,8}. */
    static final class Processors implements ITypeConverter<Pinning> {
        @Override
        public Pinning convert(String text) {
            try {
                return Pinning.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("takes a list of processors: " + e.getMessage());
            }
        }
    }

    /** {@code UTC}, {@code Europe/Berlin}, {@code +02:00}. */
    static final class Zone implements ITypeConverter<ZoneId> {
        @Override
        public ZoneId convert(String text) {
            try {
                return ZoneId.of(text);
            } catch (DateTimeException e) {
                throw new TypeConversionException(
                        "takes a time zone such as UTC, Europe/Berlin or +02:00, not '" + text + "'");
            }
        }
    }

    /** A setting that is on or off. */
    enum Switch {
        ON,
        OFF
    }

    /** {@code 500ms}, {@code 10s}, {@code 2m}, {@code 1h}. */
    static final class Time implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            Matcher matcher = DURATION.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException("takes a time such as 500ms, 10s, 2m or 1h, not '" + text + "'");
            }
            long amount = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                default -> Duration.ofHours(amount);
            };
        }
    }

    /** {@code auto} (which is 0) or a number. */
    static final class Receivers implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            if (text.equals("auto")) {
                return 0;
            }
            if (text.matches("[1-9]\\d{0,2}")) {
                return Integer.valueOf(text);
            }
            throw new TypeConversionException("takes auto or a number from 1, not '" + text + "'");
        }
    }

    /** An address to listen on, and how the user wrote it. */
    record Listen(String text, InetSocketAddress address) {
        static Listen of(String text) {
            Matcher matcher = HOST_PORT.matcher(text);
            int port = matcher.matches() ? Integer.parseInt(matcher.group(2)) : -1;
            if (port < 0 || port > 65_535) {
                throw new TypeConversionException(
                        "takes HOST:PORT, for example 0.0.0.0:5514 or [::]:5514, not '" + text + "'");
            }
            String host = matcher.group(1).replaceAll("[\\[\\]]", "");
            try {
                return new Listen(text, new InetSocketAddress(InetAddress.getByName(host), port));
            } catch (IOException e) {
                throw new TypeConversionException("takes HOST:PORT, but there is no host '" + host + "'");
            }
        }

        /** Both IPv4 and IPv6 where the host has IPv6, else IPv4. */
        static Listen defaultAddress() {
            return of(hasIpv6() ? "[::]:5514" : "0.0.0.0:5514");
        }

        private static boolean hasIpv6() {
            try {
                return !Files.readAllLines(Path.of("/proc/net/if_inet6")).isEmpty();
            } catch (IOException e) {
                return false;
            }
        }
    }

    /** Text to {@link Listen}. */
    static final class Address implements ITypeConverter<Listen> {
        @Override
        public Listen convert(String text) {
            return Listen.of(text);
        }
    }

    /** ISO 8601: an instant, a time with an offset, or a local time or date in the zone of this host. */
    static Instant instant(String option, String takes, String text) {
        List<Function<String, Instant>> forms = List.of(
                Instant::parse,
                it -> OffsetDateTime.parse(it).toInstant(),
                it -> LocalDateTime.parse(it.replace(' ', 'T'))
                        .atZone(ZoneId.systemDefault())
                        .toInstant(),
                it -> LocalDate.parse(it).atStartOfDay(ZoneId.systemDefault()).toInstant());
        for (Function<String, Instant> form : forms) {
            try {
                return form.apply(text);
            } catch (DateTimeException notThisOne) {
                // One of the other forms, then.
            }
        }
        throw new IllegalArgumentException(option + " takes " + takes + ", not '" + text + "'");
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
