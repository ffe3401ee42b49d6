package io.millrace.message;

import io.millrace.internal.filter.Condition;
import io.millrace.internal.filter.Contradiction;
import io.millrace.internal.filter.FilterParser;
import io.millrace.internal.filter.Node;
import io.millrace.internal.format.JournalRecord;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A compiled filter expression. Threads can share it, each with its own records. Its only state is the lists from files,
 * which it reads again when they change.
 */
public final class Filter {
    /** Matches every record. */
    public static final Filter ALL = new Filter(new Node(Node.Kind.ALL, "", record -> true, List.of(), null), "");

    private final Node root;
    private final Condition condition;
    private final String normalized;

    private Filter(Node root, String normalized) {
        this.root = root;
        this.condition = root.condition();
        this.normalized = normalized;
    }

    /**
     * Compiles an expression that refers to no files and no named filters.
     *
     * @throws IllegalArgumentException if it is invalid; the message has the column, the text there, and the valid
     *     values
     */
    public static Filter compile(String expression) {
        return compile(expression, FilterScope.NONE);
    }

    /**
     * Compiles an expression, and reads the files that it names.
     *
     * @param scope what it may refer to
     * @throws IllegalArgumentException if it is invalid, or a file cannot be read; the message has the column, the text
     *     there, and the valid values
     */
    public static Filter compile(String expression, FilterScope scope) {
        FilterParser parser = new FilterParser(expression, scope.references());
        return new Filter(parser.parse(), parser.normalized());
    }

    /** Returns a filter for what this one matches and none of the others does. */
    public Filter butNot(List<Filter> others) {
        List<Filter> none = List.copyOf(others);
        Condition condition = record -> {
            if (!matches(record)) {
                return false;
            }
            for (int i = 0; i < none.size(); i++) {
                if (none.get(i).matches(record)) {
                    return false;
                }
            }
            return true;
        };
        return new Filter(new Node(Node.Kind.ALL, root.text(), condition, List.of(root), null), normalized);
    }

    /** True if the record matches. A comparison with an absent field is false. */
    public boolean matches(LogRecord record) {
        return condition.test((JournalRecord) record);
    }

    /** True if the other filter is the same expression; spaces do not matter. */
    public boolean saysTheSameAs(Filter other) {
        return normalized.equals(other.normalized);
    }

    /**
     * Why no record can match, as far as that is simple to see: comparisons of one field that exclude each other, joined by
     * {@code and}.
     *
     * @return the comparisons; null if a record may match
     */
    public @Nullable String contradiction() {
        return Contradiction.of(root);
    }

    /** The names of the filters that it uses, and that these use. */
    public Set<String> uses() {
        Set<String> names = new TreeSet<>();
        uses(root, names);
        return names;
    }

    private static void uses(Node node, Set<String> names) {
        if (node.kind() == Node.Kind.NAMED) {
            names.add(node.name());
        }
        node.parts().forEach(part -> uses(part, names));
    }

    Node root() {
        return root;
    }
}
