package io.millrace.internal.filter;

import io.millrace.message.Facility;
import io.millrace.message.Severity;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Values without quotes: numbers, and keywords that stand for numbers. */
final class Literals {
    private Literals() {}

    /** Reader of a value. */
    @FunctionalInterface
    interface Reader {
        /**
         * Reads a value.
         *
         * @throws IllegalArgumentException if it is no such value; the message says what belongs there
         */
        long read(String text);
    }

    static long integer(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a number belongs here", e);
        }
    }

    static long severity(String text) {
        Severity severity = Severity.of(text);
        return severity != null
                ? severity.code()
                : code(text, "a severity", Arrays.stream(Severity.values()).map(Severity::keyword));
    }

    static long facility(String text) {
        Facility facility = Facility.of(text);
        return facility != null
                ? facility.code()
                : code(text, "a facility", Arrays.stream(Facility.values()).map(Facility::keyword));
    }

    /** A severity or facility as a number: the position of its keyword. */
    private static long code(String text, String what, Stream<String> keywords) {
        List<String> all = keywords.toList();
        if (text.matches("[0-9]|[1-9][0-9]") && Integer.parseInt(text) < all.size()) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException(what + " belongs here: " + String.join(" ", all));
    }

    static long time(String text) {
        try {
            Instant instant = OffsetDateTime.parse(text).toInstant();
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("a time belongs here, such as 2026-11-21T08:30:00Z", e);
        }
    }
}
