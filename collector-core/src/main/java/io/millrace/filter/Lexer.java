package io.millrace.filter;

import java.util.ArrayList;
import java.util.List;

/** Lexer of filter expressions: words, strings and operators. */
final class Lexer {
    /** The type of a token. */
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
     */
    record Token(Type type, String text, int column) {
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
        lexer.tokens.add(new Token(Type.END, "", expression.length() + 1));
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
        tokens.add(new Token(Type.WORD, word, begin + 1));
    }

    private void sign(char c) {
        for (String sign : SIGNS) {
            if (expression.startsWith(sign, at)) {
                tokens.add(new Token(Type.SIGN, sign, at + 1));
                at += sign.length();
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
            }
            text.append(expression.charAt(at++));
        }
        if (at >= expression.length()) {
            throw new IllegalArgumentException("column " + (begin + 1) + ": this text has no closing quote");
        }
        at++;
        tokens.add(new Token(Type.STRING, text.toString(), begin + 1));
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
