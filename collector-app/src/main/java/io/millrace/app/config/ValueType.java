package io.millrace.app.config;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What values a setting takes. The types there are, are in {@link ValueTypes}; options of the command line use the same.
 *
 * @param <T> what a value is in Java
 */
public abstract class ValueType<T> {
    private final String label;
    private final String takes;

    /** Where a type says what is wrong with a part of a value. */
    @FunctionalInterface
    interface Complaints {
        void add(Mark mark, String text);
    }

    ValueType(String label, String takes) {
        this.label = label;
        this.takes = takes;
    }

    /** A word that stands for a value in a synopsis: {@code SIZE}. */
    public String label() {
        return label;
    }

    /** What is taken, in words: {@code a size such as 64M}. */
    public String takes() {
        return takes;
    }

    /** True if values are never printed. */
    public boolean isSecret() {
        return false;
    }

    /**
     * A value from its text.
     *
     * @throws IllegalArgumentException if it is none; the message says what is taken, and continues the setting's name
     */
    public abstract T parse(String text);

    /** A value from what a file says; null, after a complaint, if it is none. */
    abstract @Nullable T bind(Tree tree, Complaints complaints);

    /** Tells what of a value is secret and what is known of it, whether the value is right or not. */
    void secrets(Tree tree, Consumer<String> found) {
        if (isSecret()) {
            allOf(tree, found);
        }
    }

    static void allOf(Tree tree, Consumer<String> found) {
        Tree.scalars(tree).forEach(scalar -> {
            found.accept(scalar.text());
            scalar.variables().forEach(found);
        });
    }

    /** What may be printed of a value that is part of a mapping. */
    boolean hides(String key) {
        return isSecret();
    }

    /** How a value is printed that is not hidden as a whole. */
    String shown(String text) {
        return text;
    }

    final IllegalArgumentException notTaken(String found) {
        return new IllegalArgumentException("takes " + takes + ", not " + found);
    }

    /** The value of a text; says what is wrong without the text if that is not to be printed. */
    final @Nullable T bindText(Tree.Scalar scalar, Complaints complaints) {
        if (scalar.empty()) {
            complaints.add(scalar.mark(), "takes " + takes + ", and has no value");
            return null;
        }
        try {
            return parse(scalar.text());
        } catch (IllegalArgumentException e) {
            boolean hidden = scalar.hidden() || isSecret();
            complaints.add(scalar.mark(), hidden ? "takes " + takes + "; what is given is not shown" : said(e));
            return null;
        }
    }

    private static String said(IllegalArgumentException e) {
        return String.valueOf(e.getMessage());
    }
}
