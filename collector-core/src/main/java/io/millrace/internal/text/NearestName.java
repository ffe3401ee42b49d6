package io.millrace.internal.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finder of the name that a user may have meant. */
public final class NearestName {
    private static final int MIN_BEGINNING = 3;

    private NearestName() {}

    /** The nearest name, or the only one with this beginning; null if there is none. Case, {@code -} and {@code _} are ignored. */
    public static @Nullable String of(String text, Collection<String> names) {
        String wanted = plain(text);
        List<String> longer = wanted.length() < MIN_BEGINNING
                ? List.of()
                : names.stream().filter(name -> plain(name).startsWith(wanted)).toList();
        if (longer.size() == 1) {
            return longer.get(0);
        }
        return names.stream()
                .min(Comparator.comparingInt(name -> distance(wanted, plain(name))))
                .filter(name -> distance(wanted, plain(name)) <= Math.min(3, 1 + wanted.length() / 5))
                .orElse(null);
    }

    /** The end of a message, such as {@code ; did you mean host?}; empty if no name is near. */
    public static String hint(String text, Collection<String> names) {
        String near = of(text, names);
        return near == null ? "" : "; did you mean " + near + "?";
    }

    /** The same; all names if none is near. */
    public static String hintOrAll(String text, Collection<String> names) {
        String hint = hint(text, names);
        return hint.isEmpty() ? "; there are " + String.join(", ", names) : hint;
    }

    /** True if the names differ only in case, {@code -} and {@code _}. */
    public static boolean isSame(String a, String b) {
        return plain(a).equals(plain(b));
    }

    private static String plain(String name) {
        return name.replaceAll("[-_ ]", "").toLowerCase(Locale.ROOT);
    }

    /** The edit distance with insertions, deletions, replacements and swaps of neighbours. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                cost[i][j] = Math.min(Math.min(cost[i - 1][j], cost[i][j - 1]) + 1, cost[i - 1][j - 1] + change);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
