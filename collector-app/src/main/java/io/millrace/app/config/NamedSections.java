package io.millrace.app.config;

import io.millrace.internal.text.NearestName;
import io.millrace.setting.Entry;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A mapping whose keys are names that users choose: inputs, outputs. What stands under a name is a section, the same
 * for all, or the one that a setting {@code type} chooses.
 */
public final class NamedSections implements Entry {
    private final String key;
    private final String help;
    private final Pattern name;
    private final String nameTakes;
    private final String whenNone;
    private final @Nullable Setting<String> type;
    private final Map<String, Section> kinds;

    private NamedSections(
            String key,
            String help,
            Pattern name,
            String nameTakes,
            String whenNone,
            @Nullable Setting<String> type,
            Map<String, Section> kinds) {
        this.key = key;
        this.help = help;
        this.name = name;
        this.nameTakes = nameTakes;
        this.whenNone = whenNone;
        this.type = type;
        this.kinds = Collections.unmodifiableMap(new LinkedHashMap<>(kinds));
    }

    /**
     * Sections that are all alike.
     *
     * @param whenNone what holds if there is none, for people
     */
    static NamedSections alike(String key, String help, String whenNone, Section each) {
        Pattern visible = Pattern.compile("[\\x21-\\x7e]{1,255}");
        return new NamedSections(
                key, help, visible, "up to 255 visible ASCII characters", whenNone, null, Map.of("", each));
    }

    /**
     * Sections of several kinds.
     *
     * @param type the setting that chooses
     * @param kinds the other settings of each kind, by the value of that setting
     */
    static NamedSections byType(
            String key, String help, String whenNone, Setting<String> type, Map<String, Section> kinds) {
        Map<String, Section> whole = new LinkedHashMap<>();
        kinds.forEach((value, section) -> whole.put(value, section.after(section.help(), List.of(type))));
        // Names of outputs become names of files and of metrics.
        Pattern simple = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
        return new NamedSections(
                key, help, simple, "up to 64 letters, digits, '.', '_' and '-'", whenNone, type, whole);
    }

    /** The path of the first setting or section with this key at any depth, such as {@code outputs.NAME.format}; null if there is none. */
    public static @Nullable String pathOf(Section section, String wanted) {
        for (Entry entry : section.entries()) {
            String path = NearestName.isSame(entry.key(), wanted) ? "" : pathIn(entry, wanted);
            if (path != null) {
                return entry.key() + path;
            }
        }
        return null;
    }

    private static @Nullable String pathIn(Entry entry, String wanted) {
        if (entry instanceof Section section) {
            String path = pathOf(section, wanted);
            return path == null ? null : "." + path;
        }
        return entry instanceof NamedSections named
                ? named.kinds().values().stream()
                        .map(kind -> pathOf(kind, wanted))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .map(path -> ".NAME." + path)
                        .orElse(null)
                : null;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public String help() {
        return help;
    }

    /** What holds if there is none, for people. */
    public String whenNone() {
        return whenNone;
    }

    boolean isName(String text) {
        return name.matcher(text).matches();
    }

    String nameTakes() {
        return nameTakes;
    }

    /** The setting that chooses the kind; null if all are alike. */
    @Nullable
    Setting<String> type() {
        return type;
    }

    /** The sections by the value of {@code type}, which is empty if all are alike. */
    Map<String, Section> kinds() {
        return kinds;
    }
}
