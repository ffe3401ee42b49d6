package io.millrace.app.config;

import java.util.Locale;

/** A number of bytes for a person: {@code 64 MiB}. */
public final class ByteSize {
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

    private ByteSize() {}

    /** In the largest unit that leaves one or more. */
    public static String text(long bytes) {
        int unit = 0;
        double value = bytes;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
    }
}
