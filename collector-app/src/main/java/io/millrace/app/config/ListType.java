package io.millrace.app.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A list of texts: a YAML list, or one text with commas. */
final class ListType extends ValueType<List<String>> {
    private final Consumer<String> check;

    /**
     * Creates a type.
     *
     * @param check throws an {@link IllegalArgumentException} with the problem of an item
     */
    ListType(String label, String takes, Consumer<String> check) {
        super(label, takes);
        this.check = check;
    }

    @Override
    public List<String> parse(String text) {
        List<String> items =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        if (items.contains("")) {
            throw notTaken("'" + text + "'");
        }
        items.forEach(this::check);
        return items;
    }

    private void check(String item) {
        try {
            check.accept(item);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("takes " + takes() + ", not '" + item + "': " + e.getMessage(), e);
        }
    }

    @Override
    @Nullable
    List<String> bind(Tree tree, Complaints complaints) {
        return tree instanceof Tree.Sequence sequence ? bindItems(sequence, complaints) : super.bind(tree, complaints);
    }

    private @Nullable List<String> bindItems(Tree.Sequence sequence, Complaints complaints) {
        List<String> items = new ArrayList<>();
        for (Tree item : sequence.items()) {
            if (item instanceof Tree.Scalar scalar && !scalar.empty()) {
                addItem(scalar, items, complaints);
            } else {
                complaints.about(item, "takes " + takes() + "; " + Tree.describe(item) + " is no item");
            }
        }
        if (items.size() < sequence.items().size()) {
            return null;
        }
        if (items.isEmpty()) {
            complaints.add(sequence.mark(), "takes " + takes() + ", not an empty list");
            return null;
        }
        return List.copyOf(items);
    }

    private void addItem(Tree.Scalar scalar, List<String> items, Complaints complaints) {
        try {
            check(scalar.text());
            items.add(scalar.text());
        } catch (IllegalArgumentException e) {
            complaints.add(scalar.mark(), scalar.hidden() ? "takes " + takes() : String.valueOf(e.getMessage()));
        }
    }
}
