package io.millrace.app.config;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The parsed file before its binding: texts, lists and mappings with their places. */
sealed interface Tree {
    /** The place of the beginning. */
    Mark mark();

    /**
     * A text after substitution.
     *
     * @param empty true for no value or null: {@code key:}
     * @param hidden true for the content of a file, which is a secret and is not printed
     * @param variables the values of environment variables in it
     */
    record Scalar(Mark mark, String text, boolean empty, boolean hidden, List<String> variables) implements Tree {
        static Scalar of(Mark mark, String text) {
            return new Scalar(mark, text, false, false, List.of());
        }
    }

    record Sequence(Mark mark, List<Tree> items) implements Tree {}

    /** A mapping; keys may be repeated until it is bound. */
    record Mapping(Mark mark, List<Member> members) implements Tree {}

    /** A part that is invalid and was already reported. */
    record Broken(Mark mark) implements Tree {}

    /**
     * A key and its value.
     *
     * @param mark the place of the key
     */
    record Member(Mark mark, String key, Tree value) {}

    /** True if both have equal contents, at any place. */
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

    /** All texts in any structure. */
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

    /** The kind of node, for messages. */
    static String describe(Tree tree) {
        if (tree instanceof Scalar scalar) {
            return scalar.empty() ? "nothing" : scalar.hidden() ? "a text" : "'" + scalar.text() + "'";
        }
        return tree instanceof Sequence ? "a list" : "a mapping";
    }
}
