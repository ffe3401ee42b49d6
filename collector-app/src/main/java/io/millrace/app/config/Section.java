package io.millrace.app.config;

import io.millrace.internal.fields.NearestName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mapping with known keys.
 *
 * @param key the key; empty for the whole file and for named sections
 * @param help the help
 * @param entries the entries in the order of the reference
 */
public record Section(String key, String help, List<Entry> entries) implements Entry {
    /** Checks that keys are unique. */
    public Section {
        entries = List.copyOf(entries);
        Set<String> keys = new HashSet<>();
        for (Entry entry : entries) {
            if (!keys.add(entry.key())) {
                throw new IllegalArgumentException("section '" + key + "' describes '" + entry.key() + "' twice");
            }
        }
    }

    /** A section with a key. */
    public static Section of(String key, String help, Entry... entries) {
        return new Section(key, help, Arrays.asList(entries));
    }

    /** The settings of an output, for {@link OutputType#settings()}. */
    public static Section ofOutput(Entry... entries) {
        return new Section("", "", Arrays.asList(entries));
    }

    /** This section with additional entries at its beginning, except for keys that it already has. */
    Section after(String newHelp, List<? extends Entry> first) {
        List<Entry> all = new ArrayList<>(first);
        all.removeIf(entry -> keys().contains(entry.key()));
        all.addAll(entries);
        return new Section(key, newHelp, all);
    }

    /** The path of the first setting or section with this key at any depth, such as {@code outputs.NAME.format}; null if there is none. */
    public @Nullable String pathOf(String wanted) {
        for (Entry entry : entries) {
            String path = NearestName.isSame(entry.key(), wanted) ? "" : pathIn(entry, wanted);
            if (path != null) {
                return entry.key() + path;
            }
        }
        return null;
    }

    private static @Nullable String pathIn(Entry entry, String wanted) {
        if (entry instanceof Section section) {
            String path = section.pathOf(wanted);
            return path == null ? null : "." + path;
        }
        return entry instanceof NamedSections named
                ? named.kinds().values().stream()
                        .map(kind -> kind.pathOf(wanted))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .map(path -> ".NAME." + path)
                        .orElse(null)
                : null;
    }

    List<String> keys() {
        return entries.stream().map(Entry::key).toList();
    }
}
