package io.millrace.internal.filter;

import io.millrace.collector.Network;
import io.millrace.internal.fields.ValuePredicate;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What values a field has if a comparison is true. Only fields with one value have constraints.
 *
 * @param number true for the numbers; null for a field that is none
 * @param points where the predicate of numbers may change
 * @param text true for the texts; null for a field that is none
 * @param texts all texts, if they are few; else null
 * @param networks the networks, one of which contains the address; null for a field that is none, and for exclusions
 */
record Constraint(
        @Nullable LongPredicate number,
        List<Long> points,
        @Nullable ValuePredicate text,
        @Nullable List<byte[]> texts,
        @Nullable List<Network> networks) {
    static Constraint ofNumber(LongPredicate number, List<Long> points) {
        return new Constraint(number, points, null, null, null);
    }

    static Constraint ofText(ValuePredicate text, @Nullable List<byte[]> texts) {
        return new Constraint(null, List.of(), text, texts, null);
    }

    static Constraint ofNetworks(List<Network> networks) {
        return new Constraint(null, List.of(), null, null, networks);
    }
}
