package io.millrace.app.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds an asterisk that was likely meant as a wildcard in a filter, where it is a character like any other. */
final class Wildcards {
    private static final Pattern EQUALS =
            Pattern.compile("([\\w.]+)\\s*(==|!=|contains|startswith|endswith)\\s*\"([^\"]*\\*[^\"]*)\"");

    private Wildcards() {}

    /** What to say of the first comparison with an asterisk; null if there is none. */
    static @Nullable String warning(String expression) {
        Matcher found = EQUALS.matcher(expression);
        if (!found.find()) {
            return null;
        }
        if (!found.group(2).endsWith("=")) {
            // Three asterisks are text.
            if (!found.group(3).matches("\\*?[^*]+\\*?")) {
                return null;
            }
            return "* is no wildcard after " + found.group(2) + ", but an asterisk in the message: leave it out";
        }
        String pattern = found.group(3);
        String text = pattern.replaceAll("^\\*|\\*$", "");
        String operator = text.contains("*")
                ? "matches"
                : pattern.endsWith("*") ? pattern.startsWith("*") ? "contains" : "startswith" : "endswith";
        String value = operator.equals("matches") ? "^" + pattern.replace("*", ".*") + "$" : text;
        return "* is no wildcard: " + found.group(2) + " compares the whole text; did you mean " + found.group(1)
                + (found.group(2).equals("!=") ? " not" : "") + " " + operator + " \"" + value + "\"?";
    }
}
