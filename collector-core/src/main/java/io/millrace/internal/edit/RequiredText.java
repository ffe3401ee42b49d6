package io.millrace.internal.edit;

import io.millrace.internal.fields.ValuePredicate;
import io.millrace.internal.filter.Bytes;
import java.nio.charset.StandardCharsets;

/**
 * Finds the longest text that each match of a regular expression must contain. Most messages do not contain it, and searching for it
 * takes much less time than the expression.
 */
final class RequiredText {
    private static final String SPECIAL = ".[]^$*+?{}()|\\";

    private final String expression;
    private final StringBuilder run = new StringBuilder();
    private String longest = "";
    private int pos;

    private RequiredText(String expression) {
        this.expression = expression;
    }

    /** The test whether a text may match; always true if nothing is required. */
    static ValuePredicate of(String expression) {
        byte[] text = new RequiredText(expression).find().getBytes(StandardCharsets.UTF_8);
        return text.length == 0 ? (bytes, begin, end) -> true : Bytes.contains(text);
    }

    private String find() {
        if (expression.contains("[:") || expression.chars().anyMatch(c -> c >= 0x80)) {
            // Classes within classes, and characters of several units.
            return "";
        }
        while (pos < expression.length()) {
            char c = expression.charAt(pos);
            if (c == '|' || (c == '(' && expression.startsWith("(?", pos) && !expression.startsWith("(?:", pos))) {
                // Alternatives, and flags such as (?i).
                return "";
            } else if (c == '(') {
                end();
                pos = after(pos);
            } else if (c == '[') {
                end();
                pos = afterClass(pos);
            } else if (c == '{') {
                // A repetition, whose digits are no text.
                end();
                int close = expression.indexOf('}', pos);
                pos = close < 0 ? expression.length() : close + 1;
            } else if (c == '\\') {
                if (!escape()) {
                    return "";
                }
            } else if (SPECIAL.indexOf(c) >= 0) {
                end();
                pos++;
            } else {
                literal(c, pos + 1);
            }
        }
        end();
        return longest;
    }

    /** Takes an escape; false if it is none of those whose meaning is known here. */
    private boolean escape() {
        char next = pos + 1 < expression.length() ? expression.charAt(pos + 1) : ' ';
        if (SPECIAL.indexOf(next) >= 0 || "-=:,;\"'/@#%&~<> ".indexOf(next) >= 0) {
            literal(next, pos + 2);
        } else if ("sSdDwWbB".indexOf(next) >= 0) {
            end();
            pos += 2;
        } else {
            return false;
        }
        return true;
    }

    /** A character that stands for itself, unless it may be missing or repeated. */
    private void literal(char c, int next) {
        char after = next < expression.length() ? expression.charAt(next) : ' ';
        if (after == '*' || after == '?' || after == '{') {
            end();
        } else {
            run.append(c);
            if (after == '+') {
                end();
            }
        }
        pos = next;
    }

    private void end() {
        if (run.length() > longest.length()) {
            longest = run.toString();
        }
        run.setLength(0);
    }

    /** The position after a group. */
    private int after(int open) {
        int depth = 0;
        int i = open;
        while (i < expression.length()) {
            char c = expression.charAt(i);
            if (c == '[') {
                i = afterClass(i);
                continue;
            }
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            i += c == '\\' ? 2 : 1;
            if (depth == 0) {
                return i;
            }
        }
        return expression.length();
    }

    private int afterClass(int open) {
        // A bracket at the beginning is a character.
        int i = open + (expression.startsWith("[^", open) ? 3 : 2);
        while (i < expression.length() && expression.charAt(i) != ']') {
            i += expression.charAt(i) == '\\' ? 2 : expression.startsWith("[:", i) ? 2 : 1;
        }
        return Math.min(i + 1, expression.length());
    }
}
