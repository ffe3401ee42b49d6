package io.millrace.setting;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A setting: the only definition from which it is loaded, checked, shown and documented, and by which code requests its
 * value.
 *
 * @param <T> the Java type of the value
 */
public final class Setting<T> implements Entry {
    private final String key;
    private final String javaName;
    private final SettingType<T> type;
    private final String help;
    private final boolean required;
    private final @Nullable String defaultText;
    private final String whenNone;

    private Setting(
            String key,
            String javaName,
            SettingType<T> type,
            String help,
            boolean required,
            @Nullable String defaultText,
            String whenNone) {
        this.key = key;
        this.javaName = javaName;
        this.type = type;
        this.help = help;
        this.required = required;
        this.defaultText = defaultText;
        this.whenNone = whenNone;
    }

    /**
     * A setting with a default.
     *
     * @param defaultText the default as a file says it, which {@link SettingType#parse} accepts
     */
    public static <T> Setting<T> withDefault(String key, SettingType<T> type, String defaultText, String help) {
        return new Setting<>(key, key, type, help, false, defaultText, "");
    }

    /** A required setting. */
    public static <T> Setting<T> required(String key, SettingType<T> type, String help) {
        return new Setting<>(key, key, type, help, true, null, "");
    }

    /**
     * An optional setting.
     *
     * @param whenNone the effect without a value, such as {@code this host's}
     */
    public static <T> Setting<T> optional(String key, SettingType<T> type, String whenNone, String help) {
        return new Setting<>(key, key, type, help, false, null, whenNone);
    }

    /** This setting, with the name that Java programs see if it is not the key. */
    public Setting<T> named(String name) {
        return new Setting<>(key, name, type, help, required, defaultText, whenNone);
    }

    @Override
    public String key() {
        return key;
    }

    /** The name that Java programs see: that of the builder's method. */
    public String javaName() {
        return javaName;
    }

    /** The valid values. */
    public SettingType<T> type() {
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

    /**
     * Checks a value that a program gives.
     *
     * @throws SettingException if it is invalid
     */
    public void check(T value) {
        Objects.requireNonNull(value, () -> javaName + " requires a value, not null");
        try {
            type.check(value);
        } catch (IllegalArgumentException e) {
            throw new SettingException(this, String.valueOf(e.getMessage()), e);
        }
    }

    /** The default value; null if there is none. */
    public @Nullable T defaultValue() {
        return defaultText == null ? null : type.parse(defaultText);
    }

    /** The default as a file says it; null if there is none. */
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
