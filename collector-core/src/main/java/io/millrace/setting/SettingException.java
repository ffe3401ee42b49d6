package io.millrace.setting;

import org.jspecify.annotations.Nullable;

/** An invalid value of a setting. */
public final class SettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient Setting<?> setting;
    private final String detail;

    /**
     * Creates an exception whose message begins with the name that Java programs see.
     *
     * @param detail continues the name: {@code takes 1 to 256, not 0}
     */
    public SettingException(Setting<?> setting, String detail) {
        this(setting, detail, null);
    }

    /** Creates an exception with the failure behind it. */
    public SettingException(Setting<?> setting, String detail, @Nullable Throwable cause) {
        super(setting.javaName() + (detail.startsWith(":") ? "" : " ") + detail, cause);
        this.setting = setting;
        this.detail = detail;
    }

    /** The setting, the same object as its definition. */
    public Setting<?> setting() {
        return setting;
    }

    /** The message without the name, for callers that know the setting by another one. */
    public String detail() {
        return detail;
    }
}
