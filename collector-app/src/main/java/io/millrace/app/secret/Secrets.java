package io.millrace.app.secret;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The secrets of the configuration, and texts without them. A secret is never forgotten: after the configuration was read again,
 * an output may still fail with an old one. Any thread.
 *
 * <p>A text is searched once, from its beginning to its end, for every {@linkplain SecretForms form} of every secret, whatever the
 * case of letters. What is found is replaced by {@link #HIDDEN}.
 */
public final class Secrets {
    /** What stands in the place of a secret. */
    public static final String HIDDEN = "***";

    /** Shorter ones cannot be replaced in a text without making nonsense of it. */
    public static final int MIN_LENGTH = 4;

    private static final Secrets KNOWN = new Secrets();

    private final Set<String> values = new HashSet<>();
    private final Set<SecretForms.Form> forms = new HashSet<>();
    /** By their first characters in lower case, the longest first; never changed, but replaced as a whole. */
    private volatile Map<Character, List<SecretForms.Form>> index = Map.of();

    /** Knows none. */
    public Secrets() {}

    /** Those of this process. */
    public static Secrets known() {
        return KNOWN;
    }

    /** True if a value can be replaced in texts: it is no number of a few digits, no switch, and not too short. */
    public static boolean canHide(String value) {
        return SecretForms.isDistinct(value);
    }

    /** From now on this value is hidden, with the forms it can take and the parts that tell of it. */
    public void add(String value) {
        synchronized (forms) {
            if (!values.add(value) || !forms.addAll(SecretForms.of(value))) {
                return;
            }
            Map<Character, List<SecretForms.Form>> next = new HashMap<>();
            forms.stream()
                    .sorted(Comparator.comparingInt(
                                    (SecretForms.Form form) -> form.text().length())
                            .reversed())
                    .forEach(form -> next.merge(lower(form.text().charAt(0)), List.of(form), Secrets::joined));
            index = next;
        }
    }

    private static List<SecretForms.Form> joined(List<SecretForms.Form> first, List<SecretForms.Form> second) {
        List<SecretForms.Form> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    /** The text without secrets; the same object if there are none in it. */
    public String redact(String text) {
        Map<Character, List<SecretForms.Form>> now = index;
        if (now.isEmpty()) {
            return text;
        }
        StringBuilder out = null;
        int copied = 0;
        int begin = -1;
        int end = -1;
        for (int i = 0; i <= text.length(); i++) {
            if (begin >= 0 && (i > end || i == text.length())) {
                out = out == null ? new StringBuilder(text.length()) : out;
                // What was hidden before may have reached further than this one begins.
                out.append(text, copied, Math.max(copied, begin)).append(HIDDEN);
                copied = end;
                begin = -1;
            }
            SecretForms.Form found = i < text.length() ? find(now, text, i) : null;
            if (found != null) {
                int from = found.encoded() ? SecretForms.encodedBegin(text, i) : i;
                int to = i + found.text().length();
                to = found.encoded() ? SecretForms.encodedEnd(text, to) : to;
                begin = begin < 0 ? from : Math.min(begin, from);
                end = Math.max(end, to);
            }
        }
        return out == null ? text : out.append(text, copied, text.length()).toString();
    }

    /** True if the last characters of a text may be the beginning of a secret that goes on. */
    boolean mayGoOn(String text) {
        Map<Character, List<SecretForms.Form>> now = index;
        for (int i = text.length() - 1; i >= 0 && i > text.length() - SecretForms.MAX_LENGTH; i--) {
            int rest = text.length() - i;
            for (SecretForms.Form form : now.getOrDefault(lower(text.charAt(i)), List.of())) {
                if (form.text().length() > rest && text.regionMatches(true, i, form.text(), 0, rest)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static SecretForms.@Nullable Form find(Map<Character, List<SecretForms.Form>> index, String text, int at) {
        for (SecretForms.Form form : index.getOrDefault(lower(text.charAt(at)), List.of())) {
            if (text.regionMatches(true, at, form.text(), 0, form.text().length())) {
                return form;
            }
        }
        return null;
    }

    private static char lower(char c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }
}
