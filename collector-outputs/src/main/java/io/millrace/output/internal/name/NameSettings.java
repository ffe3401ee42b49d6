package io.millrace.output.internal.name;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;

/**
 * The limits of an output whose names may contain fields.
 *
 * @param max names used within a day
 * @param perMinute new names per minute
 */
public record NameSettings(Setting<Integer> max, Setting<Integer> perMinute) {
    private static final int MAX = 1_000_000;

    /** Describes the limits, with their defaults and with what becomes of messages beyond them. */
    public static NameSettings of(String what, int max, int perMinute, String beyond) {
        String counted = " that fields of messages may create. " + beyond;
        return new NameSettings(
                Setting.withDefault(
                        "maxNames",
                        SettingTypes.integer(1, MAX),
                        Integer.toString(max),
                        "The limit of names of " + what + " used within a day" + counted),
                Setting.withDefault(
                        "maxNewNames",
                        SettingTypes.integer(1, MAX),
                        Integer.toString(perMinute),
                        "The limit of new names of " + what + " per minute" + counted));
    }

    /** A limit with these values. */
    public NameLimit limit(Settings values) {
        return new NameLimit(values.get(max), values.get(perMinute), System::nanoTime);
    }
}
