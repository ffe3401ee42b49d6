package io.millrace.app.config;

import io.millrace.setting.SettingType;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A type whose values are lists or mappings of its own form in the file. */
abstract class TreeType<T> extends SettingType<T> {
    TreeType(String label, String takes) {
        super(label, takes);
    }

    /** Binds a value of the file; returns null, after a complaint, if it is invalid. */
    abstract @Nullable T bind(Tree tree, TreeBinding.Complaints complaints);

    /** Passes on the secrets of a value, valid or not. */
    void secrets(Tree tree, Consumer<String> found) {}

    /** Only the default of a setting is text. */
    @Override
    public T parse(String text) {
        throw notTaken("'" + text + "'");
    }
}
