package io.millrace.output;

import io.millrace.message.LineFormat;
import io.millrace.setting.Setting;
import io.millrace.setting.Settings;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A type of output, for programs that read the settings of outputs from a file.
 *
 * @param name the name in a file, such as {@code kafka}
 * @param help the description in a sentence or two
 * @param settings the settings in the order of the reference
 * @param batch the batches, with the defaults of the type
 * @param creator checks values that are valid each, and may contradict each other: see {@link #of}
 */
public record OutputType(
        String name,
        String help,
        List<Setting<?>> settings,
        BatchSettings batch,
        Function<Settings, ? extends OutputSettings> creator) {
    /** Copies the list. */
    public OutputType {
        settings = List.copyOf(settings);
    }

    /**
     * Checks values.
     *
     * @throws io.millrace.setting.SettingException if a required one is missing, or they contradict each other. If several settings
     *     are wrong, the others are suppressed exceptions of the first
     */
    public OutputSettings of(Settings values) {
        return creator.apply(values);
    }

    /** The setting of the format of messages, with the default of the type; null if the type has formats of its own. */
    @SuppressWarnings("unchecked") // Settings of the same type have values of the same type.
    public @Nullable Setting<LineFormat> format() {
        for (Setting<?> setting : settings) {
            if (setting.type().equals(OutputSettings.FORMAT.type())) {
                return (Setting<LineFormat>) setting;
            }
        }
        return null;
    }
}
