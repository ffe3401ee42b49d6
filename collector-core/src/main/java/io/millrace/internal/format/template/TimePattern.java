package io.millrace.internal.format.template;

import io.millrace.message.LineBuffer;
import java.time.LocalDate;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formatter of times in UTC by a pattern of strftime(3), such as {@code %Y-%m-%d %H:%M:%S}. One thread. */
final class TimePattern {
    private static final long NS = 1_000_000_000;
    private static final int DAY_S = 86_400;
    private static final String TAKES = "there are %Y %y %m %d %e %j %b %B %a %A %H %M %S %3N %6N %9N %F %T %s %z %%";

    /** A part of the pattern: of the date, the time of day, or text. */
    @FunctionalInterface
    private interface Part {
        void write(LocalDate date, int secondOfDay, int ns, LineBuffer out);
    }

    private final Part[] parts;
    private LocalDate date = LocalDate.EPOCH;

    private TimePattern(Part[] parts) {
        this.parts = parts;
    }

    /**
     * Parses a pattern.
     *
     * @throws IllegalArgumentException if it has a directive that is unknown
     */
    static TimePattern of(String pattern) {
        List<Part> parts = new ArrayList<>();
        int i = 0;
        while (i < pattern.length()) {
            int percent = pattern.indexOf('%', i);
            int end = percent < 0 ? pattern.length() : percent;
            if (end > i) {
                text(pattern.substring(i, end), parts);
            }
            if (percent < 0) {
                break;
            }
            int letter = percent + 1;
            while (letter < pattern.length() && Character.isDigit(pattern.charAt(letter))) {
                letter++;
            }
            i = Math.min(pattern.length(), letter + 1);
            directive(pattern.substring(percent + 1, i), parts);
        }
        return new TimePattern(parts.toArray(Part[]::new));
    }

    private static void text(String text, List<Part> parts) {
        byte[] bytes = LineBuffer.utf8(text);
        parts.add((date, second, ns, out) -> out.append(bytes, 0, bytes.length));
    }

    private static void directive(String directive, List<Part> parts) {
        switch (directive) {
            case "Y" -> parts.add((date, second, ns, out) -> out.number(date.getYear(), 4));
            case "y" -> parts.add((date, second, ns, out) -> out.number(Math.floorMod(date.getYear(), 100), 2));
            case "m" -> parts.add((date, second, ns, out) -> out.number(date.getMonthValue(), 2));
            case "d" -> parts.add((date, second, ns, out) -> out.number(date.getDayOfMonth(), 2));
            case "e" ->
                parts.add((date, second, ns, out) ->
                        out.ascii(date.getDayOfMonth() < 10 ? " " : "").number(date.getDayOfMonth()));
            case "j" -> parts.add((date, second, ns, out) -> out.number(date.getDayOfYear(), 3));
            case "b" -> month(TextStyle.SHORT, parts);
            case "B" -> month(TextStyle.FULL, parts);
            case "a" -> day(TextStyle.SHORT, parts);
            case "A" -> day(TextStyle.FULL, parts);
            case "H" -> parts.add((date, second, ns, out) -> out.number(second / 3600, 2));
            case "M" -> parts.add((date, second, ns, out) -> out.number(second / 60 % 60, 2));
            case "S" -> parts.add((date, second, ns, out) -> out.number(second % 60, 2));
            case "3N" -> parts.add((date, second, ns, out) -> out.number(ns / 1_000_000, 3));
            case "6N" -> parts.add((date, second, ns, out) -> out.number(ns / 1_000, 6));
            case "9N", "N" -> parts.add((date, second, ns, out) -> out.number(ns, 9));
            case "s" ->
                parts.add((date, second, ns, out) ->
                        out.number(Math.addExact(Math.multiplyExact(date.toEpochDay(), DAY_S), second)));
            case "z" -> text("+0000", parts);
            case "%" -> text("%", parts);
            case "F" -> all(List.of("Y", "-", "m", "-", "d"), parts);
            case "T" -> all(List.of("H", ":", "M", ":", "S"), parts);
            default -> throw new IllegalArgumentException("there is no %" + directive + " in dates; " + TAKES);
        }
    }

    private static void all(List<String> directives, List<Part> parts) {
        for (String each : directives) {
            if (Character.isLetter(each.charAt(0))) {
                directive(each, parts);
            } else {
                text(each, parts);
            }
        }
    }

    private static void month(TextStyle style, List<Part> parts) {
        parts.add((date, second, ns, out) -> out.ascii(date.getMonth().getDisplayName(style, Locale.ENGLISH)));
    }

    private static void day(TextStyle style, List<Part> parts) {
        parts.add((date, second, ns, out) -> out.ascii(date.getDayOfWeek().getDisplayName(style, Locale.ENGLISH)));
    }

    void write(long timeNs, LineBuffer out) {
        long second = Math.floorDiv(timeNs, NS);
        long day = Math.floorDiv(second, DAY_S);
        if (day != date.toEpochDay()) {
            date = LocalDate.ofEpochDay(day);
        }
        for (Part part : parts) {
            part.write(date, Math.floorMod(second, DAY_S), (int) Math.floorMod(timeNs, NS), out);
        }
    }
}
