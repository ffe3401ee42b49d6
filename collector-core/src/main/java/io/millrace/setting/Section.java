package io.millrace.setting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A group of settings: a mapping with known keys.
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

    /** A section whose key and help come from where it is used. */
    public static Section of(Entry... entries) {
        return of("", "", entries);
    }

    /** This section with other help, and with additional entries at its beginning, except for keys that it already has. */
    public Section after(String newHelp, List<? extends Entry> first) {
        List<Entry> all = new ArrayList<>(first);
        all.removeIf(entry -> keys().contains(entry.key()));
        all.addAll(entries);
        return new Section(key, newHelp, all);
    }

    /** The keys of the entries, in their order. */
    public List<String> keys() {
        return entries.stream().map(Entry::key).toList();
    }
}
