package io.millrace.setting;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** A list of texts, written as one text with commas. Created by {@link SettingTypes#texts}. */
public final class ListType extends SettingType<List<String>> {
    private final Consumer<String> checkItem;

    ListType(String takes, Consumer<String> checkItem) {
        super("LIST", takes);
        this.checkItem = checkItem;
    }

    @Override
    public List<String> parse(String text) {
        List<String> items =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        if (items.contains("")) {
            throw notTaken("'" + text + "'");
        }
        items.forEach(this::checkItem);
        return items;
    }

    @Override
    public void check(List<String> items) {
        if (items.isEmpty()) {
            throw notTaken("an empty list");
        }
        items.forEach(this::checkItem);
    }

    /**
     * Checks one item.
     *
     * @throws IllegalArgumentException if it is invalid; the message has the valid values and continues the setting's
     *     name
     */
    public void checkItem(String item) {
        try {
            checkItem.accept(item);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("accepts " + takes() + ", not '" + item + "': " + e.getMessage(), e);
        }
    }
}
