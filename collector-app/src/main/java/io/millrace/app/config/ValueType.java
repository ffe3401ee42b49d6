package io.millrace.app.config;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The type of a setting's values. The types are in {@link ValueTypes}; options of the command line use them as well.
 *
 * @param <T> the Java type of a value
 */
public abstract class ValueType<T> {
    private final String label;
    private final String takes;

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

    ValueType(String label, String takes) {
        this.label = label;
        this.takes = takes;
    }

    /** The placeholder in a synopsis, such as {@code SIZE}. */
    public String label() {
        return label;
    }

    /** A description of the valid values: {@code a size such as 64M}. */
    public String takes() {
        return takes;
    }

    /** True if values are never printed. */
    public boolean isSecret() {
        return false;
    }

    /**
     * Parses a value.
     *
     * @throws IllegalArgumentException if the text is invalid; the message has the valid values and continues the
     *     setting's name
     */
    public abstract T parse(String text);

    /** Binds a value of the file, here one text; returns null, after a complaint, if it is invalid. */
    @Nullable
    T bind(Tree tree, Complaints complaints) {
        if (tree instanceof Tree.Scalar scalar) {
            return bindText(scalar, complaints);
        }
        complaints.about(tree, "takes " + takes + ", not " + Tree.describe(tree));
        return null;
    }

    /** Registers secrets of a value, valid or not. */
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

    /** The printable form of a value that is part of a mapping. */
    boolean hides(String key) {
        return isSecret();
    }

    /** The printable form of a value that is not a secret. */
    String shown(String text) {
        return text;
    }

    final IllegalArgumentException notTaken(String found) {
        return new IllegalArgumentException("takes " + takes + ", not " + found);
    }

    /** Parses a text; the message does not quote a secret. */
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
