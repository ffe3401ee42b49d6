package io.millrace.internal.filter;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.millrace.internal.charset.Utf8;
import io.millrace.internal.fields.ValuePredicate;
import java.util.ArrayDeque;
import java.util.Deque;

/** A regular expression in RE2 syntax: one search takes linear time whatever the text. Threads can share it. */
public final class Regex {
    private static final int MAX_LENGTH = 1000;
    private static final int MAX_BEGINNING = 1024;

    /** Counted repetitions multiply: {@code ((a{100}){100}){100}} is a million instructions. */
    private static final long MAX_SIZE = 10_000;

    private final String expression;
    private int pos;

    private Regex(String expression) {
        this.expression = expression;
    }

    /** The test whether the expression matches somewhere in a text; otherwise as {@link #pattern}. */
    static ValuePredicate compile(String expression) {
        Pattern pattern = pattern(expression);
        return (bytes, begin, end) ->
                pattern.matcher(Utf8.validCopy(bytes, begin, end)).find();
    }

    /**
     * The test whether the expression matches at the beginning of a text, of which it looks at 1,024 bytes.
     *
     * @throws IllegalArgumentException if it is invalid or too long
     */
    public static ValuePredicate startsWith(String expression) {
        Pattern pattern = pattern(expression);
        return (bytes, begin, end) -> pattern.matcher(
                        Utf8.validCopy(bytes, begin, Math.min(end, begin + MAX_BEGINNING)))
                .lookingAt();
    }

    /**
     * Compiles an expression whose size is bounded.
     *
     * @throws IllegalArgumentException if it is invalid or too long
     */
    public static Pattern pattern(String expression) {
        if (expression.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "a regular expression has at most " + MAX_LENGTH + " characters, not " + expression.length());
        }
        if (new Regex(expression).size() > MAX_SIZE) {
            throw new IllegalArgumentException("this regular expression has too many repetitions");
        }
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "a regular expression in RE2 syntax belongs here: " + e.getDescription()
                            + (e.getPattern() == null ? "" : ": " + e.getPattern()) + missing(expression),
                    e);
        }
    }

    /** What other regular expressions have and RE2 has not, if the text uses it. */
    private static String missing(String expression) {
        if (expression.matches("(?s).*\\(\\?<?[=!].*")) {
            return "; RE2 has no lookahead and no lookbehind: combine two comparisons with and, not";
        }
        return expression.matches("(?s).*\\\\[1-9].*") ? "; RE2 has no references to groups" : "";
    }

    /** An estimate of the size up to the end, or to a closing parenthesis. Wrong for invalid expressions, and no error. */
    private long size() {
        Deque<Long> outer = new ArrayDeque<>();
        long sum = 0;
        long last = 0;
        while (pos < expression.length()) {
            char c = expression.charAt(pos++);
            if (c == '(') {
                outer.push(sum);
                sum = 0;
                last = 0;
            } else if (c == ')') {
                last = sum + 1;
                sum = last + (outer.isEmpty() ? 0 : outer.pop());
            } else if (c == '{') {
                int most = repetitions();
                sum += last * Math.max(0, most - 1);
                last *= Math.max(1, most);
            } else {
                pos = c == '\\' ? pos + 1 : c == '[' ? afterClass(pos) : pos;
                last = 1;
                sum++;
            }
            sum = Math.min(sum, MAX_SIZE + 1);
            last = Math.min(last, MAX_SIZE + 1);
        }
        return sum;
    }

    /** The largest number up to the closing brace, at most 1,000; more is an error of the library. */
    private int repetitions() {
        int most = 0;
        int number = 0;
        while (pos < expression.length()
                && (Character.isDigit(expression.charAt(pos)) || expression.charAt(pos) == ',')) {
            char c = expression.charAt(pos++);
            number = c == ',' ? 0 : Math.min(1000, 10 * number + Character.digit(c, 10));
            most = Math.max(most, number);
        }
        return most;
    }

    private int afterClass(int begin) {
        int i = begin < expression.length() && expression.charAt(begin) == '^' ? begin + 1 : begin;
        // A bracket at the beginning is a character.
        i++;
        while (i < expression.length() && expression.charAt(i) != ']') {
            i += expression.charAt(i) == '\\' ? 2 : 1;
        }
        return i + 1;
    }
}
