package io.millrace.internal.filter;

import io.millrace.internal.filter.Lexer.Token;
import io.millrace.internal.text.NearestName;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which operator may be meant by a word that is none. */
final class Operators {
    private static final List<String> WORDS =
            List.of("contains", "startswith", "endswith", "matches", "exists", "in", "and", "or", "not");

    /** What other languages call them. */
    private static final Map<String, String> OTHER_NAMES = Map.ofEntries(
            Map.entry("like", "contains, or matches with a regular expression"),
            Map.entry("ilike", "matches with a regular expression that begins with (?i)"),
            Map.entry("includes", "contains"),
            Map.entry("has", "contains"),
            Map.entry("is", "=="),
            Map.entry("eq", "=="),
            Map.entry("equal", "=="),
            Map.entry("equals", "=="),
            Map.entry("isequal", "=="),
            Map.entry("ne", "!="),
            Map.entry("isnot", "!="),
            Map.entry("lt", "<"),
            Map.entry("le", "<="),
            Map.entry("lte", "<="),
            Map.entry("gt", ">"),
            Map.entry("ge", ">="),
            Map.entry("gte", ">="),
            Map.entry("re", "matches"),
            Map.entry("match", "matches"),
            Map.entry("regex", "matches"),
            Map.entry("regexp", "matches"),
            Map.entry("rlike", "matches"),
            Map.entry("beginswith", "startswith"),
            Map.entry("begins", "startswith"),
            Map.entry("starts", "startswith"),
            Map.entry("ends", "endswith"));

    private Operators() {}

    /** A text such as {@code "did you mean contains? "}; empty for an operator, and for what is like none. */
    static String hint(Token token) {
        if (token.type() != Lexer.Type.WORD || WORDS.contains(token.text())) {
            return "";
        }
        String plain = token.text().toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
        String meant = OTHER_NAMES.get(plain);
        @Nullable String near = meant != null ? meant : token.text().length() < 2 ? null : near(token.text());
        return near == null ? "" : "did you mean " + near + "? ";
    }

    /** Short operators are like many words. */
    private static @Nullable String near(String text) {
        String near = NearestName.of(text, WORDS);
        return near == null || (near.length() <= 3 && !NearestName.isSame(near, text)) ? null : near;
    }
}
