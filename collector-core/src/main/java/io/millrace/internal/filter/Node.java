package io.millrace.internal.filter;

import io.millrace.internal.format.Field;
import io.millrace.internal.format.JournalRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a compiled expression.
 *
 * @param text how it was written
 * @param condition tests it, with its parts
 * @param parts its parts; empty for a comparison
 * @param compared the field of a comparison; null for others
 * @param name the name of a named filter; else empty
 */
public record Node(
        Kind kind,
        String text,
        Condition condition,
        List<Node> parts,
        @Nullable Compared compared,
        String name) {
    public Node(Kind kind, String text, Condition condition, List<Node> parts, @Nullable Compared compared) {
        this(kind, text, condition, parts, compared, "");
    }

    public enum Kind {
        ANY,
        ALL,
        NOT,
        /** A named filter: its only part. */
        NAMED,
        COMPARISON
    }

    /**
     * The field of a comparison.
     *
     * @param constraint what values it has if the comparison is true; null if that is not known
     */
    public record Compared(Field field, @Nullable Constraint constraint) {}

    static Node any(String text, List<Node> parts) {
        Condition[] any = conditions(parts);
        return new Node(
                Kind.ANY,
                text,
                record -> {
                    for (Condition each : any) {
                        if (each.test(record)) {
                            return true;
                        }
                    }
                    return false;
                },
                parts,
                null);
    }

    static Node all(String text, List<Node> parts) {
        Condition[] all = conditions(parts);
        return new Node(
                Kind.ALL,
                text,
                record -> {
                    for (Condition each : all) {
                        if (!each.test(record)) {
                            return false;
                        }
                    }
                    return true;
                },
                parts,
                null);
    }

    static Node not(String text, Node opposite) {
        Condition condition = opposite.condition();
        return new Node(Kind.NOT, text, record -> !condition.test(record), List.of(opposite), null);
    }

    static Node named(String text, String name, Node root) {
        return new Node(Kind.NAMED, text, root.condition(), List.of(root), null, name);
    }

    static Node comparison(String text, Condition condition, Compared compared) {
        return new Node(Kind.COMPARISON, text, condition, List.of(), compared);
    }

    private static Condition[] conditions(List<Node> parts) {
        return parts.stream().map(Node::condition).toArray(Condition[]::new);
    }

    public boolean test(JournalRecord record) {
        return condition.test(record);
    }
}
