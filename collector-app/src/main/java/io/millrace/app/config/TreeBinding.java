package io.millrace.app.config;

import io.millrace.setting.ListType;
import io.millrace.setting.MapType;
import io.millrace.setting.SettingType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Binds values of the file to the types of settings. */
final class TreeBinding {
    /** Collector of problems with a value's parts. */
    @FunctionalInterface
    interface Complaints {
        void add(Mark mark, String text);

        /** Adds a problem of a part; of a broken one there is a problem already. */
        default void about(Tree part, String text) {
            if (!(part instanceof Tree.Broken)) {
                add(part.mark(), text);
            }
        }
    }

    private TreeBinding() {}

    /** Binds a value; returns null, after a complaint, if it is invalid. */
    @SuppressWarnings(
            "unchecked") // The values of a ListType are lists of texts, those of a MapType are mappings of texts.
    static <T> @Nullable T bind(SettingType<T> type, Tree tree, Complaints complaints) {
        if (type instanceof TreeType<T> own) {
            return own.bind(tree, complaints);
        }
        if (type instanceof MapType map) {
            return (T) mapping(map, tree, complaints);
        }
        if (type instanceof ListType list && tree instanceof Tree.Sequence sequence) {
            return (T) items(list, sequence, complaints);
        }
        if (tree instanceof Tree.Scalar scalar) {
            return text(type, scalar, complaints);
        }
        complaints.about(tree, "accepts " + type.takes() + ", not " + Tree.describe(tree));
        return null;
    }

    /** Parses a text; the message does not quote a secret. */
    static <T> @Nullable T text(SettingType<T> type, Tree.Scalar scalar, Complaints complaints) {
        if (scalar.empty()) {
            complaints.add(scalar.mark(), "accepts " + type.takes() + ", and has no value");
            return null;
        }
        try {
            return type.parse(scalar.text());
        } catch (IllegalArgumentException e) {
            boolean hidden = scalar.hidden() || type.isSecret();
            complaints.add(
                    scalar.mark(),
                    hidden
                            ? "accepts " + type.takes() + "; what is given is not shown"
                            : String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static @Nullable List<String> items(ListType type, Tree.Sequence sequence, Complaints complaints) {
        List<String> items = new ArrayList<>();
        for (Tree item : sequence.items()) {
            if (item instanceof Tree.Scalar scalar && !scalar.empty()) {
                try {
                    type.checkItem(scalar.text());
                    items.add(scalar.text());
                } catch (IllegalArgumentException e) {
                    complaints.add(
                            scalar.mark(),
                            scalar.hidden() ? "accepts " + type.takes() : String.valueOf(e.getMessage()));
                }
            } else {
                complaints.about(item, "accepts " + type.takes() + "; " + Tree.describe(item) + " is no item");
            }
        }
        if (items.size() < sequence.items().size()) {
            return null;
        }
        if (items.isEmpty()) {
            complaints.add(sequence.mark(), "accepts " + type.takes() + ", not an empty list");
            return null;
        }
        return List.copyOf(items);
    }

    private static @Nullable Map<String, String> mapping(MapType type, Tree tree, Complaints complaints) {
        if (tree instanceof Tree.Scalar scalar && scalar.empty()) {
            return Map.of();
        }
        if (!(tree instanceof Tree.Mapping mapping)) {
            complaints.about(tree, "accepts " + type.takes() + ", not " + describe(tree));
            return null;
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (Tree.Member member : mapping.members()) {
            if (member.value() instanceof Tree.Scalar scalar && !scalar.empty()) {
                if (values.put(member.key(), scalar.text()) != null) {
                    complaints.add(member.mark(), "'" + member.key() + "' is there twice");
                }
            } else {
                complaints.about(
                        member.value(), "accepts a text for '" + member.key() + "', not " + describe(member.value()));
            }
        }
        return Collections.unmodifiableMap(values);
    }

    /** The message does not quote the value, which may be a secret. */
    private static String describe(Tree tree) {
        return tree instanceof Tree.Scalar scalar && !scalar.empty() ? "a text" : Tree.describe(tree);
    }

    /** Passes on the secrets of a value, valid or not. */
    static void secrets(SettingType<?> type, Tree tree, Consumer<String> found) {
        if (type instanceof TreeType<?> own) {
            own.secrets(tree, found);
        } else if (type instanceof MapType map) {
            if (tree instanceof Tree.Mapping mapping) {
                mapping.members().stream()
                        .filter(member -> map.hides(member.key()))
                        .forEach(member -> allOf(member.value(), found));
            } else {
                allOf(tree, found);
            }
        } else if (type.isSecret() || tree instanceof Tree.Scalar) {
            Tree.scalars(tree).forEach(scalar -> type.secrets(scalar.text(), scalar.variables(), found));
        }
    }

    /** Passes on all texts of a value. */
    static void allOf(Tree tree, Consumer<String> found) {
        Tree.scalars(tree).forEach(scalar -> {
            found.accept(scalar.text());
            scalar.variables().forEach(found);
        });
    }
}
