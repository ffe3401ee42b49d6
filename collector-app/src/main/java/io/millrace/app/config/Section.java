package io.millrace.app.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A mapping with known keys.
 *
 * @param key its own key; empty for the file as a whole, and for sections that a user names
 * @param help what it is about
 * @param entries in the order in which they are shown
 */
public record Section(String key, String help, List<Entry> entries) implements Entry {
    /** Checks that no key is there twice. */
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

    /** This section with more entries before its own; one that it has itself takes the place of the other. */
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
