package io.millrace.app.config;

import io.millrace.collector.CollectorSettings;
import io.millrace.collector.Network;
import io.millrace.collector.Pinning;
import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.LogfmtFormat;
import io.millrace.internal.format.RawFormat;
import io.millrace.internal.format.Rfc5424Format;
import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.message.Edit;
import io.millrace.message.Filter;
import io.millrace.message.FilterScope;
import io.millrace.message.LineFormat;
import io.millrace.message.Severity;
import io.millrace.sink.StartAt;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The types of values. Each error message has the valid values. */
public final class ValueTypes {
    private static final Pattern HOST_AND_PORT = Pattern.compile("([A-Z_]+://)?(\\[[^]]+]|[^:/\\s,]+):\\d{1,5}");
    private static final Pattern DURATION_PATTERN = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    /** Units as people write them; the groups after the number are in the order of {@link #DURATION_UNITS}. */
    private static final Pattern DURATION_IN_WORDS = Pattern.compile(
            "(\\d{1,9})\\s*(?:(ms|(?i:msecs?|millis|milliseconds?))"
                    + "|(?i:(s|secs?|seconds?))|(m|(?i:mins?|minutes?))|(?i:(h|hrs?|hours?))|(?i:(d|days?)))(?i:\\s+ago)?");

    private static final List<String> DURATION_UNITS = List.of("ms", "s", "m", "h", "d");
    private static final Pattern RATE_PATTERN = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)([kM]?)");
    private static final long MAX_RATE = 100_000_000;

    /** The formats, for descriptions of options. */
    public static final String FORMATS =
            "raw (the bytes as they came), json, json-flat, rfc5424, logfmt, or a template such as"
                    + " '{timestamp} {hostname} {appname}: {message}'";

    /** A non-empty text. */
    public static final ValueType<String> TEXT =
            new ScalarType<>("TEXT", "a text", false, text -> text.isEmpty() ? null : text);

    /** A host, without its port. */
    public static final ValueType<String> HOST =
            new ScalarType<>("HOST", "the name or the address of a host", false, ValueTypes::host);

    /** A secret text, which is never printed. */
    public static final ValueType<String> SECRET =
            new ScalarType<>("SECRET", "a text, which is never shown", true, text -> text.isEmpty() ? null : text);

    /** A secret in an HTTP header. */
    public static final ValueType<String> TOKEN = new ScalarType<>(
            "SECRET",
            "visible ASCII characters without blanks, which are never shown",
            true,
            text -> text.matches("[!-~]+") ? text : null);

    /** The path of a file or a directory. */
    public static final ValueType<Path> PATH = new ScalarType<>("PATH", "a path", false, ValueTypes::path);

    /** A directory. */
    public static final ValueType<Path> DIRECTORY =
            new ScalarType<>("DIR", "the path of a directory", false, ValueTypes::path);

    /** On or off. */
    public static final ValueType<Boolean> SWITCH =
            new ScalarType<>("on|off", "on or off", false, text -> switch (text.toLowerCase(Locale.ROOT)) {
                case "on", "true", "yes" -> true;
                case "off", "false", "no" -> false;
                default -> null;
            });

    /** {@code 500ms}, {@code 10s}, {@code 2m}, {@code 1h}, {@code 7d}. */
    public static final ValueType<Duration> DURATION =
            new ScalarType<>("TIME", "a time such as 500ms, 10s, 2m, 1h or 7d", false, ValueTypes::duration);

    /** {@code UTC}, {@code Europe/Berlin}, {@code +02:00}. */
    public static final ValueType<ZoneId> ZONE =
            new ScalarType<>("ZONE", "a time zone such as UTC, Europe/Berlin or +02:00", false, ValueTypes::zone);

    /** An address to listen on. */
    public static final ValueType<ListenAddress> ADDRESS = new ScalarType<>(
            "HOST:PORT", "HOST:PORT, for example 0.0.0.0:5514 or [::]:5514", false, ListenAddress::parse);

    /** The address an input listens on. */
    public static final ValueType<InputListen> LISTEN =
            new ScalarType<>("ADDRESS", InputListen.TAKES, false, InputListen::parse);

    /** An address to listen on, or empty for off. */
    public static final ValueType<Optional<ListenAddress>> ADDRESS_OR_OFF = new ScalarType<>(
            "HOST:PORT|off", "HOST:PORT, for example 127.0.0.1:9514, or off", false, ValueTypes::addressOrOff);

    /** The number of receivers; 0 for {@code auto}. */
    public static final ValueType<Integer> RECEIVERS = new ScalarType<>(
            "auto|N",
            "auto or a number from 1 to " + CollectorSettings.MAX_RECEIVERS,
            false,
            text -> text.equals("auto") ? Integer.valueOf(0) : whole(text, 1, CollectorSettings.MAX_RECEIVERS));

    /** CPUs to bind threads to, such as {@code 1,3} or {@code 0-3,8}. */
    public static final ValueType<Pinning> CPUS =
            new ScalarType<>("LIST", "a list of CPUs such as 1,3 or 0-3,8, or none", false, ValueTypes::cpus);

    /** A list of texts. */
    public static final ValueType<List<String>> TEXTS = new ListType("LIST", "a list of texts", text -> {});

    /** A list of hosts with ports. */
    public static final ValueType<List<String>> HOSTS =
            new ListType("LIST", "a list of HOST:PORT such as kafka1:9092", ValueTypes::checkHost);

    /** The edits of an output. */
    public static final ValueType<List<Edit>> EDITS = new EditsType();

    /** A list of addresses and networks. */
    public static final ValueType<List<String>> NETWORKS = new ListType(
            "LIST", "a list of addresses and networks such as 192.0.2.1, 10.0.0.0/8 or 2001:db8::/32", Network::parse);

    /** Texts by name, which are passed on unchanged. */
    public static final ValueType<Map<String, String>> TEXT_BY_NAME = textByName(name -> false);

    /** Secret texts by name. */
    public static final ValueType<Map<String, String>> SECRET_BY_NAME =
            new MapType("MAPPING", "a mapping of names to texts", true, name -> true);

    /** An HTTP URL, whose query is not printed because it may contain keys. */
    public static final ValueType<URI> URL = new UrlType("URL", "a URL such as https://logs.example.com:9200");

    /** A rate per second. */
    public static final ValueType<Long> RATE = new ScalarType<>(
            "RATE", "a rate per second such as 5000, 50k or 1.2M, up to 100M", false, ValueTypes::rate);

    /** A sample: N of 1/N. */
    public static final ValueType<Integer> SAMPLE =
            new ScalarType<>("1/N", "1/N such as 1/100, up to 1/1000000000", false, ValueTypes::sample);

    /** A format. */
    public static final ValueType<LineFormat> FORMAT = new ScalarType<>("FORMAT", FORMATS, false, ValueTypes::format);

    /** A filter, which may name files. */
    public static final ValueType<Filter> FILTER = new ScalarType<>(
            "EXPR", "a condition such as severity <= err", false, text -> Filter.compile(text, FilterScope.FILES));

    /** A filter that may refer to others of the configuration. */
    public static final ValueType<Expression> EXPRESSION =
            new ScalarType<>("EXPR", FILTER.takes(), false, Expression::new);

    /** The start of a new output in the journal. */
    public static final ValueType<StartAt> START =
            new ScalarType<>("WHERE", "begin, end, or a time such as 2026-11-21T08:30:00Z", false, ValueTypes::start);

    /** A point in time that is the same at each start. */
    public static final ValueType<Instant> FIXED_TIME = new ScalarType<>(
            "TIME", "a time with its date, such as 2026-11-21T08:30:00Z", false, PointInTime::parseFixed);

    private ValueTypes() {}

    /**
     * A value with a parser.
     *
     * @param label the placeholder in a synopsis
     * @param takes a description of the valid values
     * @param parse parses the value, or throws an {@link IllegalArgumentException} with the problem
     */
    public static <T> ValueType<T> parsed(String label, String takes, Function<String, T> parse) {
        return new ScalarType<>(label, takes, false, text -> text.isEmpty() ? null : parse.apply(text));
    }

    /**
     * Texts by name, some of which are secret.
     *
     * @param hidden the names of secrets
     */
    public static ValueType<Map<String, String>> textByName(Predicate<String> hidden) {
        return new MapType("MAPPING", "a mapping of names to texts", false, hidden);
    }

    /** An integer. */
    public static ValueType<Integer> integer(int min, int max) {
        return new ScalarType<>("N", "a whole number from " + min + " to " + max, false, text -> whole(text, min, max));
    }

    /** A size: {@code 65507}, {@code 64KiB}, {@code 64m}, in multiples of 1,024. */
    public static ValueType<Integer> size(int min, int max) {
        return new ScalarType<>("SIZE", takesSize(min, max), false, text -> {
            Long bytes = bytes(text, min, max);
            return bytes == null ? null : bytes.intValue();
        });
    }

    /** A size that may exceed 2 GiB: {@code 500G}, {@code 2T}; up to 8 EiB. */
    public static ValueType<Long> longSize(long min, long max) {
        return new ScalarType<>("SIZE", takesSize(min, max), false, text -> bytes(text, min, max));
    }

    /** The constants of an enum, in lower case. */
    public static <E extends Enum<E>> ValueType<E> oneOf(Class<E> type) {
        List<E> constants = List.of(type.getEnumConstants());
        List<String> names = constants.stream()
                .map(it -> it.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
        return new ScalarType<>(
                String.join("|", names),
                either(names),
                false,
                text -> constants.stream()
                        .filter(it -> it.name().equalsIgnoreCase(text.replace('-', '_')))
                        .findFirst()
                        .orElse(null));
    }

    /** A severity, also by a keyword that is deprecated, such as {@code error}. */
    public static final ValueType<Severity> SEVERITY = new ScalarType<>(
            "SEVERITY",
            either(Arrays.stream(Severity.values()).map(Severity::keyword).toList()),
            false,
            text -> Severity.of(text.toLowerCase(Locale.ROOT)));

    /** One of several words. */
    public static ValueType<String> oneOf(String... words) {
        List<String> all = List.of(words);
        return new ScalarType<>(String.join("|", all), either(all), false, text -> all.contains(text) ? text : null);
    }

    /** {@code a, b or c}. */
    static String either(List<String> words) {
        int last = words.size() - 1;
        return last < 1 ? String.join("", words) : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }

    private static void checkHost(String text) {
        for (String one : text.split(",", -1)) {
            if (!HOST_AND_PORT.matcher(one.strip()).matches()) {
                throw new IllegalArgumentException(
                        one.indexOf(':') < 0 ? "it has no port" : "it is not a host, a colon and a port");
            }
        }
    }

    private static @Nullable String host(String text) {
        if (HOST_AND_PORT.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "the port is a setting of its own, port: " + text.substring(text.lastIndexOf(':') + 1));
        }
        return text.matches("[^\\s/]+") ? text : null;
    }

    private static @Nullable Path path(String text) {
        if (text.startsWith("~")) {
            throw new IllegalArgumentException("~ is not expanded: write the path out");
        }
        try {
            return text.isEmpty() ? null : Path.of(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** A text such as {@code "; did you mean 5m?"} for {@code 5min}; empty if the text is like no duration. */
    public static String durationMeant(String text) {
        Matcher words = DURATION_IN_WORDS.matcher(text);
        if (!words.matches() || DURATION_PATTERN.matcher(text).matches()) {
            return "";
        }
        int unit = 0;
        while (words.group(unit + 2) == null) {
            unit++;
        }
        return "; did you mean " + words.group(1) + DURATION_UNITS.get(unit) + "?";
    }

    private static Duration duration(String text) {
        Matcher matcher = DURATION_PATTERN.matcher(text);
        if (!matcher.matches()) {
            throw DURATION.notTaken("'" + text + "'" + durationMeant(text));
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    private static StartAt start(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "begin" -> StartAt.BEGIN;
            case "end" -> StartAt.END;
            default -> {
                Instant time = PointInTime.parse(text);
                if (time == null) {
                    throw START.notTaken("'" + text + "'" + durationMeant(text));
                }
                yield StartAt.time(time);
            }
        };
    }

    private static @Nullable ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static Optional<ListenAddress> addressOrOff(String text) {
        if (text.equals("off") || text.equals("false")) {
            return Optional.empty();
        }
        ListenAddress address = ListenAddress.parse(text);
        if (address == null) {
            throw ADDRESS_OR_OFF.notTaken(
                    "'" + text + "'" + (text.matches("\\d{1,5}") ? "; did you mean 127.0.0.1:" + text + "?" : ""));
        }
        return Optional.of(address);
    }

    private static @Nullable Pinning cpus(String text) {
        try {
            return text.equals("none") ? Pinning.NONE : Pinning.parse(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static LineFormat format(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "raw" -> new RawFormat();
            case "json" -> new JsonFormat();
            case "json-flat" -> JsonFormat.flat();
            case "rfc5424" -> new Rfc5424Format();
            case "logfmt" -> new LogfmtFormat();
            default -> {
                if (text.indexOf('{') < 0) {
                    throw FORMAT.notTaken("'" + text + "'");
                }
                yield TemplateFormat.of(text);
            }
        };
    }

    private static @Nullable Integer whole(String text, int min, int max) {
        if (!text.matches("-?\\d{1,10}")) {
            return null;
        }
        long value = Long.parseLong(text);
        return value >= min && value <= max ? (int) value : null;
    }

    private static @Nullable Integer sample(String text) {
        return text.startsWith("1/") && text.matches("1/\\d{1,10}")
                ? whole(text.substring("1/".length()), 1, 1_000_000_000)
                : null;
    }

    private static @Nullable Long rate(String text) {
        Matcher matcher = RATE_PATTERN.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        double unit = matcher.group(2).equals("k") ? 1e3 : matcher.group(2).equals("M") ? 1e6 : 1;
        long rate = Math.round(Double.parseDouble(matcher.group(1)) * unit);
        return rate >= 1 && rate <= MAX_RATE ? rate : null;
    }

    private static @Nullable Long bytes(String text, long min, long max) {
        Long bytes = ByteSize.parse(text);
        return bytes != null && bytes >= min && bytes <= max ? bytes : null;
    }

    private static String takesSize(long min, long max) {
        return "a size such as " + (max >= 64 << 20 ? "64M" : max >= 8 << 10 ? "8K" : "100") + ", from "
                + ByteSize.exact(min) + " to " + ByteSize.exact(max);
    }
}
