package io.millrace.internal.filter;

import io.millrace.collector.Network;
import io.millrace.internal.fields.ValuePredicate;
import io.millrace.internal.filter.Node.Compared;
import io.millrace.message.RecordField;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finder of comparisons that cannot be true together. What is not simple to decide is no contradiction. */
public final class Contradiction {
    /** Fields with few values, by their largest. */
    private static final Map<RecordField, Long> MAXIMA = Map.of(
            RecordField.SEVERITY, 7L,
            RecordField.FACILITY, 23L,
            RecordField.SOURCE_PORT, 65_535L);

    /** More comparisons are not examined, so that no expression takes long. */
    private static final int MAX_COMPARISONS = 100;

    private Contradiction() {}

    /** The comparisons that exclude each other; null if there are none. */
    public static @Nullable String of(Node node) {
        return switch (node.kind()) {
            case NOT -> null;
            case NAMED -> of(node.parts().get(0));
            case ANY -> {
                List<@Nullable String> all =
                        node.parts().stream().map(Contradiction::of).toList();
                yield all.contains(null) ? null : all.get(0);
            }
            case ALL, COMPARISON -> ofAll(node);
        };
    }

    private static @Nullable String ofAll(Node node) {
        List<Node> all = new ArrayList<>();
        collect(node, all);
        for (Node part : all) {
            String inside = part.kind() == Node.Kind.COMPARISON ? null : of(part);
            if (inside != null) {
                return inside;
            }
        }
        Map<RecordField, List<Node>> byField = new EnumMap<>(RecordField.class);
        for (Node part : all) {
            Compared compared = part.compared();
            RecordField header = compared == null ? null : compared.field().header();
            if (compared != null && header != null && compared.constraint() != null) {
                byField.computeIfAbsent(header, field -> new ArrayList<>()).add(part);
            }
        }
        return byField.entrySet().stream()
                .filter(entry -> entry.getValue().size() <= MAX_COMPARISONS
                        && isNever(
                                entry.getKey(),
                                entry.getValue().stream()
                                        .map(part -> Objects.requireNonNull(Objects.requireNonNull(part.compared())
                                                .constraint()))
                                        .toList()))
                .findFirst()
                .map(entry -> entry.getValue().stream().map(Node::text).collect(Collectors.joining(" and ")))
                .orElse(null);
    }

    /** Collects the parts that must all be true. */
    private static void collect(Node node, List<Node> parts) {
        boolean named = node.kind() == Node.Kind.NAMED;
        if (named || node.kind() == Node.Kind.ALL) {
            node.parts().forEach(part -> collect(part, parts));
        } else {
            parts.add(node);
        }
    }

    private static boolean isNever(RecordField field, List<Constraint> constraints) {
        return noNumber(field, constraints) || noText(constraints) || noAddress(constraints);
    }

    /** A predicate changes only at its points, so their neighbours stand for all numbers. */
    private static boolean noNumber(RecordField field, List<Constraint> constraints) {
        long max = MAXIMA.getOrDefault(field, Long.MAX_VALUE);
        TreeSet<Long> candidates = new TreeSet<>(List.of(0L, max));
        for (Constraint constraint : constraints) {
            if (constraint.number() == null) {
                return false;
            }
            for (long point : constraint.points()) {
                candidates.add(point);
                candidates.add(point == Long.MAX_VALUE ? point : point + 1);
                candidates.add(point == Long.MIN_VALUE ? point : point - 1);
            }
        }
        // Times before 1970 are negative, and no other number is.
        boolean time = field == RecordField.TIMESTAMP || field == RecordField.RECEIVE_TIME;
        return candidates.subSet(time ? Long.MIN_VALUE : 0L, true, max, true).stream()
                .noneMatch(number -> constraints.stream()
                        .allMatch(constraint ->
                                Objects.requireNonNull(constraint.number()).test(number)));
    }

    private static boolean noText(List<Constraint> constraints) {
        List<byte[]> few = constraints.stream()
                .map(Constraint::texts)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return few != null
                && few.stream()
                        .noneMatch(text -> constraints.stream().allMatch(constraint -> {
                            ValuePredicate test = constraint.text();
                            return test == null || test.test(text, 0, text.length);
                        }));
    }

    /** Two networks are apart unless one contains the other. */
    private static boolean noAddress(List<Constraint> constraints) {
        for (Constraint one : constraints) {
            for (Constraint other : constraints) {
                if (one.networks() != null
                        && other.networks() != null
                        && one.networks().stream().noneMatch(network -> meets(network, other.networks()))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean meets(Network network, List<Network> others) {
        return others.stream().anyMatch(other -> network.contains(other) || other.contains(network));
    }
}
