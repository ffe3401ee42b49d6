package io.millrace.app.doctor;

import java.util.regex.Pattern;

final class Shell {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,@+-]+");

    private Shell() {}

    /** The word in single quotes if needed. */
    static String quote(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
