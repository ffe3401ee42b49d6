package io.millrace.internal.filter;

import java.util.ArrayList;
import java.util.List;

/** Lexer of filter expressions: words, strings and operators. */
final class Lexer {
    enum Type {
        WORD,
        STRING,
        SIGN,
        END
    }

    /**
     * A token.
     *
     * @param text the text; of a string without quotes and escapes
     * @param column its position, from 1
     * @param end the index after it
     */
    record Token(Type type, String text, int column, int end) {
        boolean is(String sign) {
            return (type == Type.SIGN || type == Type.WORD) && text.equals(sign);
        }

        @Override
        public String toString() {
            return switch (type) {
                case END -> "the end";
                case STRING -> '"' + text + '"';
                default -> text;
            };
        }
    }

    private static final List<String> SIGNS = List.of("==", "!=", "<=", ">=", "<", ">", "(", ")", "[", "]", ",");

    private final String expression;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String expression) {
        this.expression = expression;
    }

    static List<Token> tokens(String expression) {
        Lexer lexer = new Lexer(expression);
        while (lexer.at < expression.length()) {
            lexer.next();
        }
        lexer.tokens.add(new Token(Type.END, "", expression.length() + 1, expression.length()));
        return lexer.tokens;
    }

    private void next() {
        char c = expression.charAt(at);
        if (Character.isWhitespace(c)) {
            at++;
        } else if (c == '"') {
            string();
        } else if (isWord(c)) {
            int begin = at;
            while (at < expression.length() && isWord(expression.charAt(at))) {
                at++;
            }
            name(begin);
        } else {
            sign(c);
        }
    }

    /** Adds a word; after a dot its end may be in quotes: {@code fields."a name"}. */
    private void name(int begin) {
        String word = expression.substring(begin, at);
        if (word.endsWith(".") && at < expression.length() && expression.charAt(at) == '"') {
            string();
            word += tokens.remove(tokens.size() - 1).text();
        }
        tokens.add(new Token(Type.WORD, word, begin + 1, at));
    }

    private void sign(char c) {
        for (String sign : SIGNS) {
            if (expression.startsWith(sign, at)) {
                at += sign.length();
                tokens.add(new Token(Type.SIGN, sign, at - sign.length() + 1, at));
                return;
            }
        }
        String hint = switch (c) {
            case '=' -> expression.startsWith("=~", at) ? "~: a regular expression is matches" : ": equal is ==";
            case '!' ->
                expression.startsWith("!~", at)
                        ? "~: that no regular expression matches is not matches"
                        : ": for the opposite write not";
            case '~' -> ": a regular expression is matches";
            case '&' -> ": write and";
            case '|' -> ": write or";
            case '\'' -> ": text stands in double quotes";
            default -> "";
        };
        throw new IllegalArgumentException("column " + (at + 1) + ": " + c + hint.replaceFirst("^(~?).*", "$1")
                + " means nothing here" + hint.replaceFirst("^~", ""));
    }

    private void string() {
        int begin = at++;
        StringBuilder text = new StringBuilder();
        while (at < expression.length() && expression.charAt(at) != '"') {
            if (expression.charAt(at) == '\\' && at + 1 < expression.length()) {
                at++;
                checkEscape();
            }
            text.append(expression.charAt(at++));
        }
        if (at >= expression.length()) {
            throw new IllegalArgumentException("column " + (begin + 1) + ": this text has no closing quote");
        }
        at++;
        tokens.add(new Token(Type.STRING, text.toString(), begin + 1, at));
    }

    /** A backslash without a meaning is no character of a regular expression: it was lost, and {@code \d} meant {@code d}. */
    private void checkEscape() {
        char c = expression.charAt(at);
        if (c != '"' && c != '\\') {
            throw new IllegalArgumentException(
                    "column " + at + ": \\" + c + " is no escape: text has only \\\" and \\\\; for \\" + c
                            + " in a regular expression, write \\\\" + c);
        }
    }

    /** Numbers, keywords, addresses, networks and times are words as well. */
    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c)
                || c == '_'
                || c == '.'
                || c == ':'
                || c == '/'
                || c == '-'
                || c == '+'
                || c == '@';
    }
}
