package io.millrace.app.config;

import io.millrace.internal.text.ForeignText;
import io.millrace.setting.SettingException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

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
        String link =
                text.matches("(?s)[ :].*") ? "" : continuesKey(text) || text.startsWith("is missing") ? " " : ": ";
        return new Problem(mark, (mark.isFlag() ? mark.source() : path) + link + text);
    }

    /**
     * Creates the problems of a section whose values contradict each other, at the settings that are wrong.
     *
     * @param path the section
     * @param wrong the problem of a setting, and as suppressed exceptions those of others
     */
    static List<Problem> of(Bound section, String path, SettingException wrong) {
        return Stream.concat(Stream.of(wrong), Stream.of(wrong.getSuppressed()))
                .map(SettingException.class::cast)
                .map(each -> of(
                        Objects.requireNonNullElse(section.mark(each.setting()), section.mark()),
                        continuesKey(each.detail())
                                ? path + "." + each.setting().key()
                                : path,
                        continuesKey(each.detail()) ? each.detail() : String.valueOf(each.getMessage())))
                .toList();
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

    /** True if a text is the predicate of a sentence whose subject is the setting. */
    private static boolean continuesKey(String text) {
        return text.startsWith("accepts") || text.startsWith("requires") || text.startsWith("takes effect");
    }
}
