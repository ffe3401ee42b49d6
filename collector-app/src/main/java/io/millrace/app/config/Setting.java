package io.millrace.app.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A setting: one object, from which it is read, checked, shown and documented, and by which code asks for its value.
 *
 * @param <T> what its value is in Java
 */
public final class Setting<T> implements Entry {
    private final String key;
    private final ValueType<T> type;
    private final String help;
    private final boolean required;
    private final @Nullable String defaultText;
    private final String whenNone;

    private Setting(
            String key,
            ValueType<T> type,
            String help,
            boolean required,
            @Nullable String defaultText,
            String whenNone) {
        this.key = key;
        this.type = type;
        this.help = help;
        this.required = required;
        this.defaultText = defaultText;
        this.whenNone = whenNone;
    }

    /** A setting with a value for when it is not given. */
    public static <T> Setting<T> withDefault(String key, ValueType<T> type, String defaultText, String help) {
        return new Setting<>(key, type, help, false, defaultText, "");
    }

    /** A setting that must be given. */
    public static <T> Setting<T> required(String key, ValueType<T> type, String help) {
        return new Setting<>(key, type, help, true, null, "");
    }

    /**
     * A setting that may have no value.
     *
     * @param whenNone what holds then: {@code this host's}
     */
    public static <T> Setting<T> optional(String key, ValueType<T> type, String whenNone, String help) {
        return new Setting<>(key, type, help, false, null, whenNone);
    }

    @Override
    public String key() {
        return key;
    }

    /** What it takes. */
    public ValueType<T> type() {
        return type;
    }

    @Override
    public String help() {
        return help;
    }

    /** True if it must be given. */
    public boolean isRequired() {
        return required;
    }

    /** Its value if it is not given; null if there is none. */
    public @Nullable String defaultText() {
        return defaultText;
    }

    /** What holds if it is not given, for people: the default, or what stands for it. */
    public String otherwise() {
        return required ? "required" : defaultText == null ? whenNone : defaultText;
    }

    /** The name it has on the command line: {@code receiveBuffer} is {@code receive-buffer}. */
    public String flagName() {
        return key.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return key;
    }
}
