package io.millrace.internal.filter;

import io.millrace.internal.filter.Lexer.Token;
import java.util.ArrayList;
import java.util.List;

/** The tokens of an expression, one after the other. */
final class TokenReader {
    private final String expression;
    private final List<Token> tokens;
    private int next;

    TokenReader(String expression) {
        this.expression = expression;
        this.tokens = Lexer.tokens(expression);
    }

    /** The next token, which stays the next. */
    Token peek() {
        return tokens.get(next);
    }

    Token take() {
        Token token = peek();
        if (token.type() != Lexer.Type.END) {
            next++;
        }
        return token;
    }

    boolean takes(String sign) {
        if (!peek().is(sign)) {
            return false;
        }
        next++;
        return true;
    }

    /** Takes a sign that must be there. */
    void require(String sign) {
        Token token = take();
        if (!token.is(sign)) {
            throw error(token, "a " + sign + " belongs here");
        }
    }

    /** True if these two tokens are the next. */
    boolean isNext(String first, String second) {
        return peek().is(first) && tokens.get(next + 1).is(second);
    }

    /** Parses {@code [a, b, c]}. */
    List<Token> list() {
        Token open = take();
        if (!open.is("[")) {
            throw error(open, "a list belongs here, such as [\"a\", \"b\"] or file(\"/path\")");
        }
        List<Token> values = new ArrayList<>();
        while (true) {
            values.add(take());
            Token after = take();
            if (after.is("]")) {
                return values;
            }
            if (!after.is(",")) {
                throw error(after, "a , or a ] belongs here");
            }
        }
    }

    /** The text from a token to the last one that was taken. */
    String textFrom(Token first) {
        int end = next == 0 ? 0 : tokens.get(next - 1).end();
        return expression.substring(Math.min(end, first.column() - 1), end);
    }

    /** The tokens as one text, however they were written. */
    String normalized() {
        StringBuilder text = new StringBuilder();
        tokens.forEach(token -> text.append(token.type()).append(token.text()).append('\0'));
        return text.toString();
    }

    static IllegalArgumentException error(Token token, String what) {
        return new IllegalArgumentException("column " + token.column() + ": " + token + " is not right: " + what);
    }
}
