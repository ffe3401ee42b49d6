package io.millrace.edit;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.millrace.fields.ValueTest;
import io.millrace.filter.Regex;
import io.millrace.format.LineBuffer;
import io.millrace.format.LogRecord;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Replaces what a regular expression matches, in a whole message or in one of its fields. Immutable: threads can share it. */
public final class Redaction {
    /** What stands instead of a match if nothing is said. */
    public static final String WITH = "***";

    /** An edited message is refused beyond this: each match may become longer. */
    static final int MAX_BYTES = 1 << 20;

    private final Pattern pattern;
    private final ValueTest mayMatch;
    private final ValueTest accepts;
    private final Replacement replacement;
    private final EditTarget target;

    private Redaction(
            Pattern pattern, ValueTest mayMatch, ValueTest accepts, Replacement replacement, EditTarget target) {
        this.pattern = pattern;
        this.mayMatch = mayMatch;
        this.accepts = accepts;
        this.replacement = replacement;
        this.target = target;
    }

    /**
     * Creates a redaction.
     *
     * @param expression a regular expression in RE2 syntax
     * @param with what stands instead of each match; {@code $1} is its first group, {@code $$} a dollar sign
     * @param field the field in which it applies; null for the whole message
     * @throws IllegalArgumentException if one of them is invalid; the message names it
     */
    public static Redaction of(String expression, String with, @Nullable String field) {
        Pattern pattern = Regex.pattern(expression);
        return new Redaction(
                pattern,
                RequiredText.of(expression),
                (bytes, begin, end) -> true,
                Replacement.of(with, pattern.groupCount()),
                EditTarget.of(field));
    }

    /** Creates a redaction of a known kind of text; otherwise as {@link #of}. */
    public static Redaction of(RedactionPreset preset, @Nullable String with, @Nullable String field) {
        Pattern pattern = preset.pattern();
        return new Redaction(
                pattern,
                preset::mayMatch,
                preset::accepts,
                Replacement.of(with == null ? preset.with() : with, pattern.groupCount()),
                EditTarget.of(field));
    }

    /**
     * Writes the edited message.
     *
     * @param places memory for the places of the field
     * @param out gets the whole message, if it is changed
     * @return false if nothing matches
     * @throws IllegalArgumentException if the edited message is too long
     */
    boolean redact(LogRecord record, Places places, LineBuffer out) {
        places.clear();
        target.find(record, places);
        byte[] bytes = record.bytes();
        int done = record.begin();
        boolean changed = false;
        for (int i = 0; i < places.count(); i++) {
            int begin = places.begin(i);
            if (!mayMatch.test(bytes, begin, places.end(i))) {
                continue;
            }
            byte[] text = Arrays.copyOfRange(bytes, begin, places.end(i));
            Matcher matcher = pattern.matcher(text);
            while (matcher.find()) {
                if (matcher.start() < matcher.end() && accepts.test(text, matcher.start(), matcher.end())) {
                    out.append(bytes, done, begin + matcher.start());
                    replacement.append(matcher, text, out);
                    done = begin + matcher.end();
                    changed = true;
                    check(out.length());
                }
            }
        }
        if (changed) {
            out.append(bytes, done, record.end());
            check(out.length());
        }
        return changed;
    }

    private static void check(int length) {
        if (length > MAX_BYTES) {
            throw new IllegalArgumentException("the edited message has more than " + MAX_BYTES + " bytes");
        }
    }
}
