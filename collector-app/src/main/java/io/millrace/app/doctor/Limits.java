package io.millrace.app.doctor;

import io.millrace.linux.ProcText;

/**
 * A value of {@code ethtool -g} or {@code -l}, which print the most there can be, and then what is set.
 *
 * @param most 0 if it is not told
 * @param now 0 if it is not told
 */
record Limits(long most, long now) {
    static Limits of(String text, String name) {
        long most = 0;
        long now = 0;
        boolean current = false;
        for (String line : text.lines().toList()) {
            if (line.startsWith("Current hardware settings:")) {
                current = true;
            } else if (line.startsWith(name + ":")) {
                // 'n/a' is not told.
                Long value = ProcText.number(line.substring(name.length() + 1));
                most = current || value == null ? most : value;
                now = !current || value == null ? now : value;
            }
        }
        return new Limits(most, now);
    }
}
