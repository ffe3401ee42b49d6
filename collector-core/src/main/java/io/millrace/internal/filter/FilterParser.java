package io.millrace.internal.filter;

import static io.millrace.internal.filter.TokenReader.error;

import io.millrace.internal.filter.Lexer.Token;
import io.millrace.internal.format.Field;
import io.millrace.message.RecordField;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Recursive descent parser of filter expressions:
 *
 * <pre>
 * expression = conjunction ("or" conjunction)*
 * conjunction = term ("and" term)*
 * term = "not" term | "(" expression ")" | "filter" "(" name ")" | comparison
 * comparison = field ["exists" | ["not"] operator value]
 * </pre>
 *
 * A field alone is true if the record has it. {@link io.millrace.internal.parse.FieldName} describes {@code fields.NAME} and {@code sd.ID.NAME}.
 */
public final class FilterParser {
    private static final int MAX_DEPTH = 100;

    private final TokenReader tokens;
    private final References references;
    private final ComparisonParser comparisons;
    private int depth;

    public FilterParser(String expression, References references) {
        this.tokens = new TokenReader(expression);
        this.references = references;
        this.comparisons = new ComparisonParser(tokens, references);
    }

    public Node parse() {
        Node root = expression();
        Token rest = tokens.peek();
        if (rest.type() != Lexer.Type.END) {
            throw error(rest, Operators.hint(rest) + "and, or, or the end belong here");
        }
        return root;
    }

    /** The expression, independent of spaces. */
    public String normalized() {
        return tokens.normalized();
    }

    private Node expression() {
        Token first = tokens.peek();
        List<Node> any = joined("or", this::conjunction);
        return any.size() == 1 ? any.get(0) : Node.any(tokens.textFrom(first), any);
    }

    private Node conjunction() {
        Token first = tokens.peek();
        List<Node> all = joined("and", this::term);
        return all.size() == 1 ? all.get(0) : Node.all(tokens.textFrom(first), all);
    }

    private List<Node> joined(String word, Supplier<Node> part) {
        List<Node> parts = new ArrayList<>(List.of(part.get()));
        while (tokens.takes(word)) {
            parts.add(part.get());
        }
        return List.copyOf(parts);
    }

    private Node term() {
        boolean named = tokens.isNext("filter", "(");
        Token token = tokens.take();
        if (++depth > MAX_DEPTH) {
            throw error(token, "more than " + MAX_DEPTH + " levels of not and brackets are too many");
        }
        Node node;
        if (token.is("not")) {
            Node opposite = term();
            node = Node.not(tokens.textFrom(token), opposite);
        } else if (token.is("(")) {
            node = expression();
            tokens.require(")");
        } else if (named) {
            node = named(token);
        } else {
            node = comparison(token);
        }
        depth--;
        return node;
    }

    private Node named(Token first) {
        tokens.require("(");
        Token name = tokens.take();
        if (name.type() != Lexer.Type.WORD && name.type() != Lexer.Type.STRING) {
            throw error(name, "the name of a filter belongs here, such as filter(denies)");
        }
        tokens.require(")");
        try {
            return Node.named(tokens.textFrom(first), name.text(), references.named(name.text()));
        } catch (IllegalArgumentException e) {
            throw error(name, String.valueOf(e.getMessage()));
        }
    }

    private Node comparison(Token name) {
        if (name.type() != Lexer.Type.WORD) {
            throw error(name, "a field belongs here: " + RecordField.keys());
        }
        Field field;
        try {
            field = Field.of(name.text());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("column " + name.column() + ": " + e.getMessage(), e);
        }
        return comparisons.parse(name, field);
    }
}
