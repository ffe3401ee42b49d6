package io.millrace.app.config;

import io.millrace.setting.Entry;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The values of a {@link Section}, requested by the {@link Setting} that describes them. Immutable. */
public final class Bound {
    private final Section section;
    private final Mark mark;
    private final Map<Section, Bound> sections = new HashMap<>();
    private final Map<NamedSections, Map<String, Bound>> named = new HashMap<>();
    private final Map<Setting<?>, Tree> given = new HashMap<>();
    private Settings settings = Settings.DEFAULTS;

    Bound(Section section, Mark mark) {
        this.section = section;
        this.mark = mark;
    }

    /** The value of a setting that is required or has a default. */
    public <T> T get(Setting<T> setting) {
        checkHas(setting);
        return settings.get(setting);
    }

    /** The value of a setting, or its default; null if it has neither. */
    public <T> @Nullable T find(Setting<T> setting) {
        checkHas(setting);
        return settings.find(setting);
    }

    /** The values of a nested section. */
    public Bound get(Section inner) {
        checkHas(inner);
        return Objects.requireNonNull(sections.get(inner));
    }

    /** The named sections in the order of the file. */
    public Map<String, Bound> get(NamedSections inner) {
        checkHas(inner);
        return Objects.requireNonNull(named.get(inner));
    }

    /** The values without their places, and those of nested sections. */
    public Settings settings() {
        return settings;
    }

    /** The place of a setting's value, in the file or an option; null if it was not given. */
    public @Nullable Mark mark(Setting<?> setting) {
        Tree tree = given.get(setting);
        return tree == null ? null : tree.mark();
    }

    /**
     * The problem of a setting, at its place here or in a nested section; at the section if it was not given.
     *
     * @param path the path of this section; empty for the whole file
     */
    Problem problem(String path, SettingException e) {
        Problem found = given(path, e);
        return found == null ? Problem.of(mark, join(path, e.setting().key()), e.detail()) : found;
    }

    /** The exception with the place of the setting; the same exception if the setting was not given. */
    public IllegalArgumentException placed(String path, SettingException e) {
        Problem found = given(path, e);
        return found == null ? e : new ConfigException(found, e);
    }

    private @Nullable Problem given(String path, SettingException e) {
        Mark place = mark(e.setting());
        return place != null
                ? Problem.of(place, join(path, e.setting().key()), e.detail())
                : sections.entrySet().stream()
                        .map(inner ->
                                inner.getValue().given(join(path, inner.getKey().key()), e))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** True if a setting has its default value, given or not. */
    <T> boolean isDefault(Setting<T> setting) {
        T value = setting.defaultValue();
        return value != null && value.equals(find(setting));
    }

    public Mark mark() {
        return mark;
    }

    Section section() {
        return section;
    }

    /** The given value of a setting, for display; null if it was not given. */
    @Nullable
    Tree given(Setting<?> setting) {
        return given.get(setting);
    }

    <T> void put(Setting<T> setting, T value, Tree tree) {
        settings = settings.with(setting, value);
        given.put(setting, tree);
    }

    void put(Section inner, Bound bound) {
        sections.put(inner, bound);
        settings = settings.with(bound.settings);
    }

    void put(NamedSections inner, Map<String, Bound> bound) {
        named.put(inner, bound);
    }

    /** True if the same settings were given with the same values, at any place. */
    public boolean saysTheSameAs(Bound other) {
        return section.equals(other.section) && differences(other).isEmpty();
    }

    /** The keys whose given values differ in another instance of the section. */
    List<String> differences(Bound other) {
        return section.entries().stream()
                .filter(entry -> !saysTheSame(entry, other))
                .map(Entry::key)
                .toList();
    }

    /** True if a setting or a section was given with the same values. */
    boolean saysTheSame(Entry entry, Bound other) {
        if (entry instanceof Setting<?> setting) {
            Tree mine = given.get(setting);
            Tree theirs = other.given.get(setting);
            return mine == null ? theirs == null : (theirs != null && Tree.same(mine, theirs));
        }
        return entry instanceof NamedSections inner
                ? sameSections(get(inner), other.get(inner))
                : get((Section) entry).saysTheSameAs(other.get((Section) entry));
    }

    private static boolean sameSections(Map<String, Bound> mine, Map<String, Bound> theirs) {
        return mine.keySet().equals(theirs.keySet())
                && mine.entrySet().stream()
                        .allMatch(it -> it.getValue().saysTheSameAs(Objects.requireNonNull(theirs.get(it.getKey()))));
    }

    private void checkHas(Entry entry) {
        if (!section.entries().contains(entry)) {
            throw new IllegalArgumentException(
                    "'" + entry.key() + "' is no setting of section '" + section.key() + "'");
        }
    }
}
