package io.millrace.internal.edit;

import io.millrace.message.RecordField;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Truncates the text of messages, or a field of the header, at the end of a character. Immutable: threads can share it. */
public final class Truncation extends MessageEdit {
    private static final List<RecordField> PARTS = List.of(
            RecordField.HOSTNAME, RecordField.APPNAME, RecordField.PROCID, RecordField.MSGID, RecordField.MESSAGE);

    /** A character has up to three bytes after its first one. */
    private static final int MAX_CONTINUATION = 3;

    private static final int UNICODE_ESCAPE = 6;

    private final EditTarget target;
    private final int maxBytes;

    private Truncation(EditTarget target, int maxBytes) {
        this.target = target;
        this.maxBytes = maxBytes;
    }

    /**
     * Creates the edit.
     *
     * @param field the field; null for the text of the message
     * @param maxBytes how long it may be, in UTF-8: 1 or more
     * @throws IllegalArgumentException if one of them is invalid; the message names it
     */
    public static Truncation of(@Nullable String field, int maxBytes) {
        String name = field == null ? RecordField.MESSAGE.key() : field;
        EditTarget target = EditTarget.of(name, PARTS);
        if (maxBytes < 1) {
            throw new IllegalArgumentException("bytes accepts 1 or more, not " + maxBytes);
        }
        return new Truncation(target, maxBytes);
    }

    @Override
    void apply(Draft draft) {
        Places places = draft.find(target);
        byte[] bytes = draft.record().bytes();
        boolean escaped = target.isEscaped(draft.record());
        draft.rewrite();
        for (int i = 0; i < places.count(); i++) {
            int begin = places.begin(i);
            int end = places.end(i);
            if (end - begin > maxBytes) {
                int last = escaped
                        ? beforeEscape(bytes, begin, begin + maxBytes)
                        : beforeCharacter(bytes, begin, begin + maxBytes);
                draft.replace(last, end);
            }
        }
        draft.rewritten();
    }

    /** The limit, or the beginning of the character that crosses it. */
    private static int beforeCharacter(byte[] b, int begin, int limit) {
        int first = limit;
        while (first > begin && limit - first < MAX_CONTINUATION && (b[first] & 0xc0) == 0x80) {
            first--;
        }
        int lead = b[first] & 0xff;
        int length = lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        return first + length > limit ? first : limit;
    }

    /** The same for a text of JSON, whose escapes are not divided either. */
    private static int beforeEscape(byte[] b, int begin, int limit) {
        int i = begin;
        while (i < limit) {
            int next = i + escapeLength(b, i);
            if (next > limit) {
                return i;
            }
            i = next;
        }
        return beforeCharacter(b, begin, i);
    }

    private static int escapeLength(byte[] b, int at) {
        if (b[at] != '\\') {
            return 1;
        }
        if (b[at + 1] != 'u') {
            return 2;
        }
        // A character of four bytes is two escapes, of which the first begins with D8 to DB.
        int second = b[at + 3] | 0x20;
        boolean high =
                (b[at + 2] | 0x20) == 'd' && (b[at + 3] == '8' || b[at + 3] == '9' || second == 'a' || second == 'b');
        boolean pair = high && at + 7 < b.length && b[at + UNICODE_ESCAPE] == '\\' && b[at + UNICODE_ESCAPE + 1] == 'u';
        return pair ? 2 * UNICODE_ESCAPE : UNICODE_ESCAPE;
    }
}
