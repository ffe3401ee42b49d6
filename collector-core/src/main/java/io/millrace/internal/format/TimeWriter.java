package io.millrace.internal.format;

import io.millrace.internal.charset.AsciiWord;
import io.millrace.message.LineBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Formatter of times as RFC 3339 in UTC, with 0, 3, 6 or 9 decimal places: {@code 2026-11-21T10:00:00.123Z}. It keeps the text of
 * the last whole second, because times often come in order. One thread.
 */
public final class TimeWriter {
    private static final long NS = 1_000_000_000;
    private static final long DAY_S = 86_400;
    private static final int SECOND_BYTES = 19;
    /** The longest time has 30 bytes, and words are written whole. */
    private static final int MAX_BYTES = 40;

    /** Padded to whole words. */
    private final byte[] start = "0000-00-00T00:00:00.0000".getBytes(StandardCharsets.US_ASCII);

    private final int maxDigits;
    private long day = Long.MIN_VALUE;
    private long second = Long.MIN_VALUE;

    /** Creates a formatter with all digits. */
    public TimeWriter() {
        this(9);
    }

    /** Creates a formatter with at most 6 or 9 digits of a second; finer times are truncated. */
    TimeWriter(int maxDigits) {
        this.maxDigits = maxDigits;
    }

    /** Appends a time in ns since the epoch. */
    public void write(long timeNs, LineBuffer out) {
        long of = Math.floorDiv(timeNs, NS);
        if (of != second) {
            setSecond(of);
        }
        int ns = (int) (timeNs - of * NS);
        ns -= maxDigits == 6 ? ns % 1_000 : 0;
        int o = out.reserve(MAX_BYTES);
        byte[] b = out.array();
        for (int i = 0; i < SECOND_BYTES; i += Long.BYTES) {
            AsciiWord.store(b, o + i, AsciiWord.load(start, i));
        }
        o += SECOND_BYTES;
        if (ns != 0) {
            b[o++] = '.';
            Decimal.write(ns, 9, b, o);
            // All digits are written, and the zeros at the end are left out.
            o += ns % 1_000_000 == 0 ? 3 : ns % 1_000 == 0 ? 6 : 9;
        }
        b[o++] = 'Z';
        out.end(o);
    }

    private void setSecond(long of) {
        long today = Math.floorDiv(of, DAY_S);
        if (today != day) {
            setDate(today);
        }
        int s = (int) Math.floorMod(of, DAY_S);
        Decimal.writeTwo(s / 3600, start, 11);
        Decimal.writeTwo(s / 60 % 60, start, 14);
        Decimal.writeTwo(s % 60, start, 17);
        second = of;
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
        Decimal.writeTwo(year / 100, start, 0);
        Decimal.writeTwo(year, start, 2);
        Decimal.writeTwo(month, start, 5);
        Decimal.writeTwo(dayOfYear - (153 * fromMarch + 2) / 5 + 1, start, 8);
    }
}
