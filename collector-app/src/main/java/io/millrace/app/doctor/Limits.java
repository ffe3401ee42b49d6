package io.millrace.app.doctor;

import io.millrace.internal.linux.ProcText;

/**
 * A value of {@code ethtool -g} or {@code -l}, which print the maximum and then the current value.
 *
 * @param max 0 if unknown
 * @param now 0 if unknown
 */
record Limits(long max, long now) {
    static Limits of(String text, String name) {
        long max = 0;
        long now = 0;
        boolean current = false;
        for (String line : text.lines().toList()) {
            if (line.startsWith("Current hardware settings:")) {
                current = true;
            } else if (line.startsWith(name + ":")) {
                // 'n/a' means unknown.
                Long value = ProcText.number(line.substring(name.length() + 1));
                max = current || value == null ? max : value;
                now = !current || value == null ? now : value;
            }
        }
        return new Limits(max, now);
    }
}
