package io.millrace.setting;

import java.util.List;
import java.util.function.Consumer;

/**
 * The type of a setting's values: which are valid, and how they are written. {@link SettingTypes} has the general ones.
 *
 * @param <T> the Java type of a value
 */
public abstract class SettingType<T> {
    private final String label;
    private final String takes;

    /**
     * Creates a type.
     *
     * @param label the placeholder in a synopsis, such as {@code SIZE}
     * @param takes the valid values as a phrase, such as {@code a size such as 64M}
     */
    protected SettingType(String label, String takes) {
        this.label = label;
        this.takes = takes;
    }

    /** The placeholder in a synopsis, such as {@code SIZE}. */
    public final String label() {
        return label;
    }

    /** The valid values as a phrase: {@code a size such as 64M, from 4 KiB to 1 GiB}. */
    public final String takes() {
        return takes;
    }

    /** True if values are never printed. */
    public boolean isSecret() {
        return false;
    }

    /**
     * Parses a value.
     *
     * @throws IllegalArgumentException if the text is invalid; the message has the valid values and continues the
     *     setting's name
     */
    public abstract T parse(String text);

    /**
     * Checks a value that a program gives against the range that {@link #parse} has.
     *
     * @throws IllegalArgumentException if the value is invalid; the message is like that of {@link #parse}
     */
    public void check(T value) {}

    /** The printable form of a value that is not a secret but may contain some. */
    public String shown(String text) {
        return text;
    }

    /** True if a value is a mapping and the text of this key in it is never printed. */
    public boolean hides(String key) {
        return isSecret();
    }

    /**
     * Passes on the parts of a value that are never printed.
     *
     * @param text the value, valid or not
     * @param insertions parts of the text that came from elsewhere, such as environment variables
     */
    public void secrets(String text, List<String> insertions, Consumer<String> found) {
        if (isSecret()) {
            found.accept(text);
            insertions.forEach(found);
        }
    }

    /** The exception for a value that is not valid; its message continues the setting's name. */
    public final IllegalArgumentException notTaken(String found) {
        return new IllegalArgumentException("accepts " + takes + ", not " + found);
    }
}
