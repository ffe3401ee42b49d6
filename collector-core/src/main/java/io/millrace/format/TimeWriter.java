package io.millrace.format;

import java.nio.charset.StandardCharsets;

/** Formatter of times as RFC 3339 in UTC, with 0, 3, 6 or 9 digits of a second: {@code 2026-11-21T10:00:00.123Z}. One thread. */
final class TimeWriter {
    private static final long NS = 1_000_000_000;
    private static final long DAY_S = 86_400;

    private final byte[] date = "0000-00-00T".getBytes(StandardCharsets.US_ASCII);
    private final int mostDigits;
    private long day = Long.MIN_VALUE;

    TimeWriter() {
        this(9);
    }

    /** Creates a formatter with at most 6 or 9 digits of a second; finer times are truncated. */
    TimeWriter(int mostDigits) {
        this.mostDigits = mostDigits;
    }

    void write(long timeNs, LineBuffer out) {
        long second = Math.floorDiv(timeNs, NS);
        int ns = (int) Math.floorMod(timeNs, NS);
        ns -= mostDigits == 6 ? ns % 1_000 : 0;
        long today = Math.floorDiv(second, DAY_S);
        if (today != day) {
            setDate(today);
        }
        int s = (int) Math.floorMod(second, DAY_S);
        int o = out.reserve(30);
        byte[] b = out.array();
        System.arraycopy(date, 0, b, o, date.length);
        o += date.length;
        two(b, o, s / 3600);
        b[o + 2] = ':';
        two(b, o + 3, s / 60 % 60);
        b[o + 5] = ':';
        two(b, o + 6, s % 60);
        o += 8;
        if (ns != 0) {
            b[o++] = '.';
            int digits = ns % 1_000_000 == 0 ? 3 : ns % 1_000 == 0 ? 6 : 9;
            int value = digits == 3 ? ns / 1_000_000 : digits == 6 ? ns / 1_000 : ns;
            for (int i = digits - 1; i >= 0; i--) {
                b[o + i] = (byte) ('0' + value % 10);
                value /= 10;
            }
            o += digits;
        }
        b[o++] = 'Z';
        out.end(o);
    }

    /** Counts days from 1 March, in eras of 400 years. */
    private void setDate(long epochDay) {
        day = epochDay;
        long z = epochDay + 719_468;
        long era = Math.floorDiv(z, 146_097);
        int dayOfEra = Math.floorMod(z, 146_097);
        int yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int fromMarch = (5 * dayOfYear + 2) / 153;
        int month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
        int year = (int) (era * 400 + yearOfEra) + (month <= 2 ? 1 : 0);
        two(date, 0, year / 100);
        two(date, 2, year % 100);
        two(date, 5, month);
        two(date, 8, dayOfYear - (153 * fromMarch + 2) / 5 + 1);
    }

    private static void two(byte[] b, int offset, int value) {
        b[offset] = (byte) ('0' + value / 10);
        b[offset + 1] = (byte) ('0' + value % 10);
    }
}
