package io.millrace.app.doctor;

import java.util.regex.Pattern;

/** Words of a shell. */
final class Shell {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,@+-]+");

    private Shell() {}

    /** In single quotes if it needs them. */
    static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
