package io.millrace.setting;

import io.millrace.internal.text.ByteSize;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The general types of settings. Each error message has the valid values. */
public final class SettingTypes {
    private static final Pattern HOST_AND_PORT = Pattern.compile("([A-Z_]+://)?(\\[[^]]+]|[^:/\\s,]+):\\d{1,5}");
    private static final Pattern DURATION_PATTERN = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    /** Units as people write them; the groups after the number are in the order of {@link #DURATION_UNITS}. */
    private static final Pattern DURATION_IN_WORDS = Pattern.compile(
            "(\\d{1,9})\\s*(?:(ms|(?i:msecs?|millis|milliseconds?))"
                    + "|(?i:(s|secs?|seconds?))|(m|(?i:mins?|minutes?))|(?i:(h|hrs?|hours?))|(?i:(d|days?)))(?i:\\s+ago)?");

    private static final List<String> DURATION_UNITS = List.of("ms", "s", "m", "h", "d");
    private static final long[] UNIT_MILLIS = {1, 1_000, 60_000, 3_600_000, 86_400_000};
    private static final Pattern RATE_PATTERN = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)([kM]?)");
    private static final long MAX_RATE = 100_000_000;

    /** Parser of a text. */
    @FunctionalInterface
    public interface Parser<T> {
        /**
         * Parses a value; returns null if the text is invalid.
         *
         * @throws IllegalArgumentException if the text is invalid and there are details
         */
        @Nullable
        T parse(String text);
    }

    /** A non-empty text. */
    public static final SettingType<String> TEXT = parsed("TEXT", "a text", text -> text);

    /** A host, without its port. */
    public static final SettingType<String> HOST =
            parsed("HOST", "the name or the address of a host", SettingTypes::host);

    /** A secret text, which is never printed. */
    public static final SettingType<String> SECRET = secret("a text, which is never shown", text -> !text.isEmpty());

    /** A secret in an HTTP header. */
    public static final SettingType<String> TOKEN = secret(
            "visible ASCII characters without blanks, which are never shown",
            Pattern.compile("[!-~]+").asMatchPredicate());

    /** The path of a file or a directory. */
    public static final SettingType<Path> PATH = parsed("PATH", "a path", SettingTypes::path);

    /** A directory. */
    public static final SettingType<Path> DIRECTORY = parsed("DIR", "the path of a directory", SettingTypes::path);

    /** On or off. */
    public static final SettingType<Boolean> SWITCH =
            parsed("on|off", "on or off", text -> switch (text.toLowerCase(Locale.ROOT)) {
                case "on", "true", "yes" -> true;
                case "off", "false", "no" -> false;
                default -> null;
            });

    /** {@code 500ms}, {@code 10s}, {@code 2m}, {@code 1h}, {@code 7d}. */
    public static final SettingType<Duration> DURATION =
            duration("a time such as 500ms, 10s, 2m, 1h or 7d", Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE));

    /** {@code UTC}, {@code Europe/Berlin}, {@code +02:00}. */
    public static final SettingType<ZoneId> ZONE =
            parsed("ZONE", "a time zone such as UTC, Europe/Berlin or +02:00", SettingTypes::zone);

    /** A list of texts. */
    public static final SettingType<List<String>> TEXTS = texts("a list of texts", text -> {});

    /** A list of hosts with ports. */
    public static final SettingType<List<String>> HOSTS =
            texts("a list of HOST:PORT such as kafka1:9092", SettingTypes::checkHost);

    /** Texts by name, which are passed on unchanged. */
    public static final MapType TEXT_BY_NAME = textByName(name -> false);

    /** Secret texts by name. */
    public static final MapType SECRET_BY_NAME = new MapType(true, name -> true);

    /** An HTTP URL, whose query is not printed because it may contain keys. */
    public static final SettingType<URI> URL = new UrlType("URL", "a URL such as https://logs.example.com:9200");

    /** A rate per second. */
    public static final SettingType<Long> RATE = new TextType<>(
            "RATE",
            "a rate per second such as 5000, 50k or 1.2M, up to 100M",
            false,
            SettingTypes::rate,
            value -> value >= 1 && value <= MAX_RATE,
            String::valueOf,
            text -> "");

    private SettingTypes() {}

    /**
     * A value with a parser, which is not asked about an empty text.
     *
     * @param label the placeholder in a synopsis
     * @param takes the valid values as a phrase
     */
    public static <T> SettingType<T> parsed(String label, String takes, Parser<T> parser) {
        return parsed(label, takes, parser, text -> "");
    }

    /**
     * A value with a parser and a hint.
     *
     * @param hint the end of the message for an invalid text, such as {@code ; did you mean 5m?}; empty for none
     */
    public static <T> SettingType<T> parsed(String label, String takes, Parser<T> parser, UnaryOperator<String> hint) {
        return new TextType<>(
                label,
                takes,
                false,
                text -> text.isEmpty() ? null : parser.parse(text),
                value -> true,
                String::valueOf,
                hint);
    }

    private static SettingType<String> secret(String takes, Predicate<String> valid) {
        return new TextType<>("SECRET", takes, true, text -> text, valid, text -> text, text -> "");
    }

    /**
     * A list of texts.
     *
     * @param check throws an {@link IllegalArgumentException} with the problem of an item
     */
    public static SettingType<List<String>> texts(String takes, Consumer<String> check) {
        return new ListType(takes, check);
    }

    /**
     * Texts by name, some of which are secret.
     *
     * @param hidden the names of secrets, in addition to those that usually are
     */
    public static MapType textByName(Predicate<String> hidden) {
        return new MapType(false, hidden);
    }

    /** An integer. */
    public static SettingType<Integer> integer(int min, int max) {
        return range("N", "a whole number from " + min + " to " + max, SettingTypes::whole, min, max, String::valueOf);
    }

    /** A number from 1, or {@code auto}, which is 0 in Java. */
    public static SettingType<Integer> numberOrAuto(int max) {
        return range(
                "auto|N",
                "auto or a number from 1 to " + max,
                text -> text.equals("auto") ? Integer.valueOf(0) : text.matches("-?0+") ? null : whole(text),
                0,
                max,
                String::valueOf);
    }

    /** A part of the whole: {@code 1/100}, which is 100 in Java. */
    public static SettingType<Integer> oneOfN(int max) {
        return range(
                "1/N",
                "1/N such as 1/100, up to 1/" + max,
                text -> text.startsWith("1/") ? whole(text.substring("1/".length())) : null,
                1,
                max,
                value -> "1/" + value);
    }

    /** A size: {@code 65507}, {@code 64KiB}, {@code 64m}, in multiples of 1,024. */
    public static SettingType<Integer> size(int min, int max) {
        return range(
                "SIZE",
                takesSize(min, max),
                text -> asInt(ByteSize.parse(text)),
                min,
                max,
                bytes -> ByteSize.exact(bytes));
    }

    /** A size that may exceed 2 GiB: {@code 500G}, {@code 2T}; up to 8 EiB. */
    public static SettingType<Long> longSize(long min, long max) {
        return range("SIZE", takesSize(min, max), ByteSize::parse, min, max, ByteSize::exact);
    }

    /** A duration with a range. */
    public static SettingType<Duration> duration(Duration min, Duration max) {
        return duration("a time from " + format(min) + " to " + format(max), min, max);
    }

    /** A duration without a maximum. */
    public static SettingType<Duration> duration(Duration min) {
        return duration(DURATION.takes() + ", at least " + format(min), min, Duration.ofSeconds(Long.MAX_VALUE));
    }

    private static SettingType<Duration> duration(String takes, Duration min, Duration max) {
        return new TextType<>(
                "TIME",
                takes,
                false,
                SettingTypes::duration,
                value -> value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
                SettingTypes::format,
                SettingTypes::durationMeant);
    }

    private static <T extends Comparable<T>> SettingType<T> range(
            String label, String takes, Parser<T> parser, T min, T max, Function<T, String> format) {
        return new TextType<>(
                label,
                takes,
                false,
                parser,
                value -> value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
                format,
                text -> "");
    }

    /** The constants of an enum, in lower case. */
    public static <E extends Enum<E>> SettingType<E> oneOf(Class<E> type) {
        List<E> constants = List.of(type.getEnumConstants());
        List<String> names = constants.stream()
                .map(it -> it.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
        return parsed(
                String.join("|", names),
                either(names),
                text -> constants.stream()
                        .filter(it -> it.name().equalsIgnoreCase(text.replace('-', '_')))
                        .findFirst()
                        .orElse(null));
    }

    /** One of several words. */
    public static SettingType<String> oneOf(String... words) {
        List<String> all = List.of(words);
        return parsed(String.join("|", all), either(all), text -> all.contains(text) ? text : null);
    }

    /** {@code a, b or c}. */
    public static String either(List<String> words) {
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

    private static @Nullable Duration duration(String text) {
        Matcher matcher = DURATION_PATTERN.matcher(text);
        return matcher.matches()
                ? Duration.ofMillis(
                        Long.parseLong(matcher.group(1)) * UNIT_MILLIS[DURATION_UNITS.indexOf(matcher.group(2))])
                : null;
    }

    /** Formats a duration in the largest unit in which it is a whole number. */
    private static String format(Duration duration) {
        long millis = duration.toMillis();
        int unit = UNIT_MILLIS.length - 1;
        while (unit > 0 && (millis == 0 || millis % UNIT_MILLIS[unit] != 0)) {
            unit--;
        }
        return millis / UNIT_MILLIS[unit] + DURATION_UNITS.get(unit);
    }

    private static @Nullable ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static @Nullable Long rate(String text) {
        Matcher matcher = RATE_PATTERN.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        double unit = matcher.group(2).equals("k") ? 1e3 : matcher.group(2).equals("M") ? 1e6 : 1;
        return Math.round(Double.parseDouble(matcher.group(1)) * unit);
    }

    private static @Nullable Integer whole(String text) {
        return text.matches("-?\\d{1,10}") ? asInt(Long.valueOf(text)) : null;
    }

    private static @Nullable Integer asInt(@Nullable Long value) {
        return value == null || value != value.intValue() ? null : Integer.valueOf(value.intValue());
    }

    private static String takesSize(long min, long max) {
        return "a size such as " + (max >= 64 << 20 ? "64M" : max >= 8 << 10 ? "8K" : "100") + ", from "
                + ByteSize.exact(min) + " to " + ByteSize.exact(max);
    }
}
