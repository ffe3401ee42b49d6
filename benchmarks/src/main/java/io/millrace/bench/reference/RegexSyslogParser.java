package io.millrace.bench.reference;

import java.net.InetAddress;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parser of syslog messages with regular expressions and {@code java.time}: RFC 5424 if it has version 1, else RFC 3164,
 * else the plain text with the current time and the source address. One thread.
 */
final class RegexSyslogParser {
    /** The priority of a message without one in RFC 3164: user, notice. */
    private static final int DEFAULT_PRIORITY = 13;

    private static final int MAX_PRIORITY = 191;
    private static final String NIL = "-";

    // Possessive, so that a long message costs neither time nor stack.
    private static final Pattern RFC_5424 = Pattern.compile(
            "<(\\d{1,3})>1 (\\S++) (\\S++) (\\S++) \\S++ \\S++ (?:-|(?:\\[(?:[^\\]\\\\]|\\\\.)*+\\])++)(?: (.*+))?",
            Pattern.DOTALL);
    private static final Pattern RFC_3164 = Pattern.compile(
            "<(\\d{1,3})>([A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d) (\\S++) (?:([^\\s:\\[]++)(?:\\[[^\\]]*+\\])?: ?)?(.*+)",
            Pattern.DOTALL);
    private static final Pattern PRIORITY_ALONE = Pattern.compile("<(\\d{1,3})>(.*+)", Pattern.DOTALL);

    private final Clock clock;
    private final DateTimeFormatter rfc3164Time;
    private final int year;

    /**
     * The parts of a message; its string is a line without a line feed.
     *
     * @param time ISO 8601 with offset
     */
    record Message(String time, String host, String tag, int priority, String text) {
        @Override
        public String toString() {
            return time + ' ' + host + ' ' + tag + ' ' + priority + ' ' + text;
        }
    }

    RegexSyslogParser(Clock clock) {
        this.clock = clock;
        this.year = LocalDateTime.now(clock).getYear();
        this.rfc3164Time = new DateTimeFormatterBuilder()
                .appendPattern("MMM ppd HH:mm:ss")
                .parseDefaulting(ChronoField.YEAR, year)
                .toFormatter(Locale.ENGLISH)
                .withResolverStyle(ResolverStyle.STRICT);
    }

    Message parse(String datagram, InetAddress source) {
        try {
            Matcher modern = RFC_5424.matcher(datagram);
            if (modern.matches()) {
                String text = modern.group(5) == null ? "" : modern.group(5);
                String time = NIL.equals(modern.group(2)) ? now() : iso(OffsetDateTime.parse(modern.group(2)));
                return new Message(time, modern.group(3), modern.group(4), priority(modern.group(1)), text);
            }
            Matcher old = RFC_3164.matcher(datagram);
            if (old.matches()) {
                ZonedDateTime time =
                        LocalDateTime.parse(old.group(2), rfc3164Time).atZone(clock.getZone());
                String tag = old.group(4) == null ? NIL : old.group(4);
                return new Message(
                        iso(time.toOffsetDateTime()), old.group(3), tag, priority(old.group(1)), old.group(5));
            }
        } catch (DateTimeParseException noSuchTime) {
            // It is plain text.
        }
        Matcher bare = PRIORITY_ALONE.matcher(datagram);
        boolean hasPriority = bare.matches();
        return new Message(
                now(),
                source.getHostAddress(),
                NIL,
                hasPriority ? priority(bare.group(1)) : DEFAULT_PRIORITY,
                hasPriority ? bare.group(2) : datagram);
    }

    private String now() {
        return iso(OffsetDateTime.now(clock));
    }

    private static String iso(OffsetDateTime time) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time);
    }

    private static int priority(String digits) {
        int value = Integer.parseInt(digits);
        return value <= MAX_PRIORITY ? value : DEFAULT_PRIORITY;
    }
}
