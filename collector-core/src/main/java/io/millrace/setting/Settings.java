package io.millrace.setting;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checked values of settings. Immutable: {@link #with} returns a copy. A setting that was not given has its default. */
public final class Settings {
    /** Nothing but defaults. */
    public static final Settings DEFAULTS = new Settings(Map.of());

    private final Map<Setting<?>, Object> values;

    private Settings(Map<Setting<?>, Object> values) {
        this.values = values;
    }

    /**
     * A copy in which a setting has a value.
     *
     * @throws SettingException if the value is invalid
     */
    public <T> Settings with(Setting<T> setting, T value) {
        setting.check(value);
        Map<Setting<?>, Object> all = new HashMap<>(values);
        all.put(setting, value);
        return new Settings(all);
    }

    /** A copy in which other settings have the values that were given there. */
    public Settings with(Settings others) {
        Map<Setting<?>, Object> all = new HashMap<>(values);
        all.putAll(others.values);
        return new Settings(all);
    }

    /** The value of a setting that is required or has a default. */
    public <T> T get(Setting<T> setting) {
        T value = find(setting);
        if (value == null) {
            throw new IllegalStateException("setting " + setting + " has no value: use find");
        }
        return value;
    }

    /** The value of a setting, or its default; null if it has neither. */
    @SuppressWarnings("unchecked") // Values are added with the type of their setting only.
    public <T> @Nullable T find(Setting<T> setting) {
        Object value = values.get(setting);
        return value == null ? setting.defaultValue() : (T) value;
    }

    /** True if a setting was given, even with the value that is its default. */
    public boolean isSet(Setting<?> setting) {
        return values.containsKey(setting);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Settings settings && values.equals(settings.values);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(values);
    }
}
