package io.millrace.app.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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

    List<String> keys() {
        return entries.stream().map(Entry::key).toList();
    }
}
