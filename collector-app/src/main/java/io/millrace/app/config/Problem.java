package io.millrace.app.config;

import io.millrace.format.TerminalFormat;

/**
 * Something wrong in the configuration.
 *
 * @param mark where
 * @param text what was found, and what is taken
 */
public record Problem(Mark mark, String text) {
    /** Makes one line of the text, which may show what a file holds: line feeds and other control characters as escapes. */
    public Problem {
        text = line(text);
    }

    private static String line(String text) {
        StringBuilder line = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                line.append("\\n");
            } else if (TerminalFormat.isObeyed(c)) {
                line.append(String.format("\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }

    /**
     * A problem of a setting. A flag is its own name; in a file the path of the setting is said.
     *
     * @param path such as {@code receive.receiveBuffer}
     * @param text such as {@code takes on or off, not 'maybe'}, which continues the name as a sentence; any other text
     *     comes after a colon, unless it begins with a blank or a colon of its own
     */
    public static Problem of(Mark mark, String path, String text) {
        String link = text.matches("(?s)[ :].*") ? "" : text.matches("(?s)(takes|is missing).*") ? " " : ": ";
        return new Problem(mark, (mark.isFlag() ? mark.source() : path) + link + text);
    }

    /** True if a flag of the command line is wrong, and not the file. */
    public boolean isOfFlag() {
        return mark.isFlag();
    }

    /** One line for a person; those of a file begin with the place. */
    @Override
    public String toString() {
        return isOfFlag() ? text : mark + ": " + text;
    }
}
