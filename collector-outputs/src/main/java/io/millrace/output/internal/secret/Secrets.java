package io.millrace.output.internal.secret;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Registry of the configuration's secrets, which redacts texts. A secret is never forgotten: after a reload, an output
 * may still fail with an old one. Any thread.
 *
 * <p>A text is searched once for every {@linkplain SecretForms form} of every secret, ignoring case. Matches are
 * replaced by {@link #HIDDEN}.
 */
public final class Secrets {
    public static final String HIDDEN = "***";

    /** The minimum length of a secret: shorter ones occur in ordinary texts. */
    public static final int MIN_LENGTH = 4;

    private static final Secrets KNOWN = new Secrets();

    private final Set<String> values = new HashSet<>();
    private final Set<SecretForms.Form> forms = new HashSet<>();
    /** The forms by their first characters in lower case, the longest first; never changed, but replaced as a whole. */
    private volatile Map<Character, List<SecretForms.Form>> index = Map.of();

    public Secrets() {}

    /** The secrets of this process. */
    public static Secrets known() {
        return KNOWN;
    }

    /** True if a value can be redacted in texts: it is not a short number or a switch, and not too short. */
    public static boolean canHide(String value) {
        return SecretForms.isDistinct(value);
    }

    /** Registers a value with its forms and its parts. */
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

    /** Redacts a text; returns the same object if it contains no secret. */
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
                // An earlier match may end after this one begins.
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

    /** True if the text may end with the beginning of a secret. */
    public boolean mayGoOn(String text) {
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
