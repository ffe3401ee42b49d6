package io.millrace.app.config;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The values of a {@link Section}: code asks by the same {@link Setting} that describes it. Immutable once bound. */
public final class Bound {
    private final Section section;
    private final Mark mark;
    private final Map<Entry, Object> values = new HashMap<>();
    private final Map<Setting<?>, Tree> given = new HashMap<>();

    Bound(Section section, Mark mark) {
        this.section = section;
        this.mark = mark;
    }

    /** The value of a setting that has one: it is required, or has a default. */
    public <T> T get(Setting<T> setting) {
        T value = find(setting);
        if (value == null) {
            throw new IllegalStateException("setting " + setting + " has no value: ask with find");
        }
        return value;
    }

    /** The value of a setting, or its default; null if it has neither. */
    @SuppressWarnings("unchecked") // put() takes a value of the setting's type only.
    public <T> @Nullable T find(Setting<T> setting) {
        checkHas(setting);
        return (T) values.get(setting);
    }

    /** The values of a section in this one. */
    public Bound get(Section inner) {
        checkHas(inner);
        return (Bound) Objects.requireNonNull(values.get(inner));
    }

    /** The sections under their names, in the order of the file. */
    public Map<String, Bound> get(NamedSections named) {
        checkHas(named);
        Map<String, Bound> sections = new LinkedHashMap<>();
        ((Map<?, ?>) Objects.requireNonNull(values.get(named)))
                .forEach((name, bound) -> sections.put((String) name, (Bound) bound));
        return Collections.unmodifiableMap(sections);
    }

    /** Where the value of a setting was given: a place in the file, or a flag; null if it was not. */
    public @Nullable Mark mark(Setting<?> setting) {
        Tree tree = given.get(setting);
        return tree == null ? null : tree.mark();
    }

    /** Where the section begins. */
    public Mark mark() {
        return mark;
    }

    /** What it is the values of. */
    Section section() {
        return section;
    }

    /** What was given for a setting, to show it; null if nothing was. */
    @Nullable
    Tree given(Setting<?> setting) {
        return given.get(setting);
    }

    <T> void put(Setting<T> setting, T value, @Nullable Tree tree) {
        values.put(setting, value);
        if (tree != null) {
            given.put(setting, tree);
        }
    }

    void put(Section inner, Bound bound) {
        values.put(inner, bound);
    }

    void put(NamedSections named, Map<String, Bound> bound) {
        values.put(named, bound);
    }

    /** True if the same was given for the same settings, wherever it stood. */
    public boolean saysTheSameAs(Bound other) {
        return section.equals(other.section) && differences(other).isEmpty();
    }

    /** The keys for which something else was given in another of the same section. */
    List<String> differences(Bound other) {
        return section.entries().stream()
                .filter(entry -> !saysTheSame(entry, other))
                .map(Entry::key)
                .toList();
    }

    private boolean saysTheSame(Entry entry, Bound other) {
        if (entry instanceof Setting<?> setting) {
            Tree mine = given.get(setting);
            Tree theirs = other.given.get(setting);
            return mine == null ? theirs == null : (theirs != null && Tree.same(mine, theirs));
        }
        return entry instanceof NamedSections named
                ? sameSections(get(named), other.get(named))
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
