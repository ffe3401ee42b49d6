package io.millrace.internal.edit;

import com.google.re2j.Pattern;
import io.millrace.internal.charset.Utf8;
import io.millrace.internal.fields.ValuePredicate;
import io.millrace.internal.filter.Regex;
import io.millrace.message.Edit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Replaces what a regular expression matches, in a whole message or in one of its fields. Immutable: threads can share it. */
public final class Redaction extends MessageEdit {
    /** What stands instead of a match if nothing is said. */
    public static final String WITH = "***";

    /**
     * One search takes linear time, but each match is followed by another one: the bytes after each match, together. A message of 8 KiB
     * may match at each byte.
     */
    private static final long MAX_SEARCHED = 64 << 20;

    private final Function<byte[], Search> matches;
    private final ValuePredicate mayMatch;
    private final Narrowing narrowing;
    private final Replacement replacement;
    private final EditTarget target;

    private Redaction(
            Function<byte[], Search> matches,
            ValuePredicate mayMatch,
            Narrowing narrowing,
            Replacement replacement,
            EditTarget target) {
        this.matches = matches;
        this.mayMatch = mayMatch;
        this.narrowing = narrowing;
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
    public static Redaction of(String expression, @Nullable String with, @Nullable String field) {
        Pattern pattern = Regex.pattern(expression);
        return new Redaction(
                text -> Search.of(pattern.matcher(text)),
                RequiredText.of(expression),
                Narrowing.NONE,
                Replacement.of(with == null ? WITH : with, pattern.groupCount()),
                EditTarget.of(field));
    }

    /** Creates a redaction of a known kind of text; otherwise as {@link #of}. */
    public static Redaction of(Edit.Preset kind, @Nullable String with, @Nullable String field) {
        PresetSearch preset = PresetSearch.of(kind);
        return new Redaction(
                preset::search,
                preset::mayMatch,
                preset.narrowing(),
                Replacement.of(
                        with == null ? preset.with() : with, preset.pattern().groupCount()),
                EditTarget.of(field));
    }

    @Override
    void apply(Draft draft) {
        Places places = draft.find(target);
        byte[] bytes = draft.record().bytes();
        long searched = 0;
        draft.rewrite();
        for (int i = 0; i < places.count(); i++) {
            int begin = places.begin(i);
            if (!mayMatch.test(bytes, begin, places.end(i))) {
                continue;
            }
            byte[] text = Utf8.validCopy(bytes, begin, places.end(i));
            Search match = matches.apply(text);
            while (match.find()) {
                searched += text.length - match.start(0);
                if (searched > MAX_SEARCHED) {
                    throw new IllegalArgumentException("a pattern matches too often in a message of this length");
                }
                int from = narrowing.begin(text, match.start(0), match.end(0));
                if (from >= 0 && match.start(0) < match.end(0)) {
                    int to = narrowing.end(text, from, match.end(0));
                    replacement.append(match, bytes, begin, draft.replace(begin + from, begin + to));
                }
            }
        }
        draft.rewritten();
    }
}
