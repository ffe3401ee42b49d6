package io.millrace.app.config;

import io.millrace.internal.format.ForeignText;

/**
 * A problem in the configuration.
 *
 * @param mark the place
 * @param text the value found and the valid values
 */
public record Problem(Mark mark, String text) {
    /** Creates a problem with a text in one line: line feeds and other control characters are escaped. */
    public Problem {
        text = ForeignText.escaped(text);
    }

    /**
     * Creates a problem of a setting, named by its option or by its path in the file.
     *
     * @param path such as {@code receive.receiveBuffer}
     * @param text such as {@code takes on or off, not 'maybe'}, which continues the name as a sentence; any other text
     *     comes after a colon, unless it begins with a blank or a colon of its own
     */
    public static Problem of(Mark mark, String path, String text) {
        String link = text.matches("(?s)[ :].*") ? "" : text.matches("(?s)(takes|is missing).*") ? " " : ": ";
        return new Problem(mark, (mark.isFlag() ? mark.source() : path) + link + text);
    }

    /** True if an option of the command line is invalid, and not the file. */
    public boolean isOfFlag() {
        return mark.isFlag();
    }

    /** The problem in one line; in a file, the line begins with the place. */
    @Override
    public String toString() {
        return isOfFlag() ? text : mark + ": " + text;
    }
}
