package io.millrace.app.doctor.host;

import java.util.Locale;

/** Formatter of numbers and durations. */
public final class Amounts {
    private Amounts() {}

    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    public static String count(long value, String what) {
        return count(value) + " " + what + (value == 1 ? "" : "s");
    }

    public static String millis(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.1f ms" : "%,.0f ms", value);
    }

    public static String duration(double seconds) {
        if (seconds < 120) {
            return String.format(Locale.ROOT, "%.0f seconds", seconds);
        }
        if (seconds < 7200) {
            return String.format(Locale.ROOT, "%.0f minutes", seconds / 60);
        }
        return seconds < 172_800
                ? String.format(Locale.ROOT, "%.0f hours", seconds / 3600)
                : String.format(Locale.ROOT, "%,.0f days", seconds / 86_400);
    }
}
