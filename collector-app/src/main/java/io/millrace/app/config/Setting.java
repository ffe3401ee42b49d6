package io.millrace.app.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A setting: the only definition from which it is loaded, checked, shown and documented, and by which code requests its
 * value.
 *
 * @param <T> the Java type of the value
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

    /** A setting with a default. */
    public static <T> Setting<T> withDefault(String key, ValueType<T> type, String defaultText, String help) {
        return new Setting<>(key, type, help, false, defaultText, "");
    }

    /** A required setting. */
    public static <T> Setting<T> required(String key, ValueType<T> type, String help) {
        return new Setting<>(key, type, help, true, null, "");
    }

    /**
     * An optional setting.
     *
     * @param whenNone the effect without a value, such as {@code this host's}
     */
    public static <T> Setting<T> optional(String key, ValueType<T> type, String whenNone, String help) {
        return new Setting<>(key, type, help, false, null, whenNone);
    }

    @Override
    public String key() {
        return key;
    }

    /** The valid values. */
    public ValueType<T> type() {
        return type;
    }

    @Override
    public String help() {
        return help;
    }

    /** True if it is required. */
    public boolean isRequired() {
        return required;
    }

    /** The default value; null if there is none. */
    public @Nullable String defaultText() {
        return defaultText;
    }

    /** The default, or the effect without a value. */
    public String otherwise() {
        return required ? "required" : defaultText == null ? whenNone : defaultText;
    }

    /** The name of its option: {@code receiveBuffer} is {@code receive-buffer}. */
    public String flagName() {
        return key.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return key;
    }
}
