package io.millrace.app.config;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a file says, before anybody knows what it means: texts, lists and mappings, each with its place. */
sealed interface Tree {
    /** Where it begins. */
    Mark mark();

    /**
     * A text, after substitution.
     *
     * @param empty there is nothing at all, or null: {@code key:}
     * @param hidden it came from a file of its own, as secrets do, and is not printed
     * @param variables the values of environment variables in it
     */
    record Scalar(Mark mark, String text, boolean empty, boolean hidden, List<String> variables) implements Tree {
        static Scalar of(Mark mark, String text) {
            return new Scalar(mark, text, false, false, List.of());
        }
    }

    /** A list. */
    record Sequence(Mark mark, List<Tree> items) implements Tree {}

    /** A mapping; a key can be there twice until it is bound. */
    record Mapping(Mark mark, List<Member> members) implements Tree {}

    /** Something that is wrong, and that was said already. */
    record Broken(Mark mark) implements Tree {}

    /**
     * A key and its value.
     *
     * @param mark the place of the key
     */
    record Member(Mark mark, String key, Tree value) {}

    /** True if two say the same, wherever they stand. */
    static boolean same(Tree one, Tree other) {
        if (one instanceof Scalar a && other instanceof Scalar b) {
            return a.empty() == b.empty() && a.text().equals(b.text());
        }
        if (one instanceof Sequence a && other instanceof Sequence b) {
            return a.items().size() == b.items().size()
                    && IntStream.range(0, a.items().size())
                            .allMatch(i -> same(a.items().get(i), b.items().get(i)));
        }
        if (one instanceof Mapping a && other instanceof Mapping b) {
            return a.members().size() == b.members().size()
                    && IntStream.range(0, a.members().size())
                            .allMatch(i -> a.members()
                                            .get(i)
                                            .key()
                                            .equals(b.members().get(i).key())
                                    && same(
                                            a.members().get(i).value(),
                                            b.members().get(i).value()));
        }
        return false;
    }

    /** All texts in it, whatever its shape. */
    static Stream<Scalar> scalars(Tree tree) {
        if (tree instanceof Scalar scalar) {
            return Stream.of(scalar);
        }
        return tree instanceof Sequence sequence
                ? sequence.items().stream().flatMap(Tree::scalars)
                : tree instanceof Mapping mapping
                        ? mapping.members().stream().flatMap(member -> scalars(member.value()))
                        : Stream.of();
    }

    /** What it is, for messages. */
    static String describe(Tree tree) {
        if (tree instanceof Scalar scalar) {
            return scalar.empty() ? "nothing" : scalar.hidden() ? "a text" : "'" + scalar.text() + "'";
        }
        return tree instanceof Sequence ? "a list" : "a mapping";
    }
}
