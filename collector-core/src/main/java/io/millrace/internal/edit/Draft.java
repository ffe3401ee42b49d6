package io.millrace.internal.edit;

import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.format.MessageChanges;
import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.message.InputRules;
import io.millrace.message.Kind;
import io.millrace.message.LineBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message while it is edited. Its memory is
 *
 * <pre>
 * | names that fields get | the bytes of the message | value | value | …
 * </pre>
 *
 * The message is parsed from its bytes. Then the edits of fields so far are applied to what the parser found: they move fields to the values,
 * which the formats read as they read a part of the message. Bytes and values are segments, and an edit of bytes works on all of them: so a
 * redaction finds a value that was set before it. The edit leaves new segments, from which the message is parsed again. Reused. One thread.
 */
final class Draft implements MessageChanges {
    /** An edited message is refused beyond this: each match may become longer. */
    static final int MAX_BYTES = 1 << 20;

    /** An edit of fields that was applied, and its value: a segment, or else a code. */
    static final class Change {
        private final Draft draft;
        private @Nullable FieldEdit edit;
        private int name;
        private int segment;
        private int code;

        private Change(Draft draft) {
            this.draft = draft;
        }

        private FieldEdit edit() {
            return Objects.requireNonNull(edit);
        }

        int begin() {
            return draft.begin(segment);
        }

        int end() {
            return draft.ends[segment];
        }

        int code() {
            return code;
        }
    }

    private final JournalRecord edited;
    private final byte[] names;
    private final Map<FieldEdit, Integer> nameBegins = new HashMap<>();
    private final Map<FieldEdit, TemplateFormat> templates = new HashMap<>();
    private final Map<AddressPseudonyms, AddressPseudonyms.Hashing> hashings = new HashMap<>();
    private final LineBuffer value = new LineBuffer();
    private final Places places = new Places();
    private LineBuffer text = new LineBuffer();
    private LineBuffer next = new LineBuffer();

    private JournalRecord original;
    private JournalRecord record;
    /** True if the message is in the memory of this draft. */
    private boolean isOwn;

    private int segments;
    private int[] ends;
    private int[] nextEnds;
    private final Change[] changes;
    private int changeCount;

    /** The form of the message, if there are edits of fields. */
    private @Nullable Kind kind;

    /** How far an edit of bytes has copied. */
    private int done;

    private int segment;

    private boolean replaced;

    Draft(List<MessageEdit> edits, boolean fieldsWritten) {
        edited = new JournalRecord(InputRules.DEFAULT, Map.of(), fieldsWritten);
        original = edited;
        record = edited;
        LineBuffer all = new LineBuffer();
        for (MessageEdit edit : edits) {
            if (edit instanceof FieldEdit field) {
                nameBegins.put(field, all.length());
                all.append(field.newName(), 0, field.newName().length);
            }
            if (edit instanceof SetField set) {
                templates.put(set, TemplateFormat.ofText(set.template()));
            }
        }
        names = Arrays.copyOf(all.array(), all.length());
        changes =
                new Change[(int) edits.stream().filter(MessageEdit::isOfFields).count()];
        Arrays.setAll(changes, i -> new Change(this));
        ends = new int[1 + changes.length];
        nextEnds = new int[1 + changes.length];
    }

    /** Begins with a message, which is expanded if it is compressed. */
    void wrap(JournalRecord message) {
        original = message;
        isOwn = false;
        record = edited.wrapExpanded(message) ? edited : message;
        segments = 1;
        ends[0] = record.end();
        changeCount = 0;
        kind = changes.length > 0 ? record.message().kind() : null;
    }

    /** The message as edited so far. */
    JournalRecord record() {
        return record;
    }

    /**
     * The message as edited; the one it began with if no edit has changed it.
     *
     * @throws IllegalArgumentException if an edit of fields cannot be applied to what the other edits have left
     */
    JournalRecord result() {
        if (isOwn && kind != null && record.message().kind() != kind) {
            // Its fields are not found any more: what one of them had would leave as text.
            throw new IllegalArgumentException(
                    "an edit has changed the form of the message, so its fields are unknown");
        }
        return isOwn ? record : original;
    }

    boolean hasChangedFields() {
        return changeCount > 0;
    }

    private int begin(int ofSegment) {
        return ofSegment == 0 ? record.begin() : ends[ofSegment - 1];
    }

    /** The places of a target, in all segments; reused. */
    Places find(EditTarget target) {
        places.clear();
        if (target.isWholeMessage()) {
            for (int i = 0; i < segments; i++) {
                places.add(begin(i), ends[i]);
            }
        } else {
            target.find(record, places);
        }
        return places;
    }

    /** Begins an edit of bytes. */
    void rewrite() {
        next.clear();
        next.append(names, 0, names.length);
        done = record.begin();
        segment = 0;
        replaced = false;
    }

    /** Copies up to the beginning of a range that is left out; returns where its replacement goes. */
    LineBuffer replace(int begin, int end) {
        copyTo(begin);
        done = end;
        replaced = true;
        return next;
    }

    /** Ends an edit of bytes. */
    void rewritten() {
        if (!replaced) {
            return;
        }
        copyTo(ends[segments - 1]);
        nextEnds[segments - 1] = next.length();
        LineBuffer written = next;
        next = text;
        text = written;
        int[] writtenEnds = nextEnds;
        nextEnds = ends;
        ends = writtenEnds;
        parseAgain();
    }

    private void copyTo(int position) {
        while (segment < segments - 1 && ends[segment] <= position) {
            next.append(record.bytes(), done, ends[segment]);
            done = ends[segment];
            nextEnds[segment++] = next.length();
        }
        next.append(record.bytes(), done, position);
        checkLength(next.length());
    }

    /** The value of an edit, made of the message as edited so far; reused. */
    LineBuffer value(SetField edit) {
        value.clear();
        Objects.requireNonNull(templates.get(edit)).append(record, value);
        return value;
    }

    /** What the edit needs in this thread. */
    AddressPseudonyms.Hashing hashing(AddressPseudonyms edit) {
        return hashings.computeIfAbsent(edit, AddressPseudonyms::hashing);
    }

    private void checkLength(int length) {
        if (length - names.length > MAX_BYTES) {
            throw new IllegalArgumentException("the edited message has more than " + MAX_BYTES + " bytes");
        }
    }

    /** Applies an edit of fields without a value. */
    void change(FieldEdit edit) {
        add(edit, 0, 0);
    }

    /** Applies an edit of fields with a code as its value. */
    void change(FieldEdit edit, int code) {
        add(edit, 0, code);
    }

    /** Applies an edit of fields with a value. */
    void change(FieldEdit edit, LineBuffer value) {
        own();
        text.end(ends[segments - 1]);
        text.append(value.array(), 0, value.length());
        checkLength(text.length());
        ends[segments++] = text.length();
        add(edit, segments - 1, 0);
    }

    private void add(FieldEdit edit, int valueSegment, int code) {
        own();
        Change change = changes[changeCount++];
        change.edit = edit;
        change.name = Objects.requireNonNull(nameBegins.get(edit));
        change.segment = valueSegment;
        change.code = code;
        parseAgain();
    }

    /** Copies the message to this draft's memory. */
    private void own() {
        if (isOwn) {
            return;
        }
        text.clear();
        text.append(names, 0, names.length);
        text.append(record.bytes(), record.begin(), record.end());
        ends[0] = text.length();
        parseAgain();
    }

    private void parseAgain() {
        // The texts of GELF with escapes, see apply.
        text.room(ends[0] - names.length);
        record = edited.wrapEdited(original, text.array(), names.length, ends[0], changeCount > 0 ? this : null);
        isOwn = true;
    }

    @Override
    public void apply(ParsedMessage message) {
        if (message.bytes() != text.array()) {
            text.end(message.moveTo(text.array(), ends[segments - 1]));
        }
        for (int i = 0; i < changeCount; i++) {
            Change change = changes[i];
            change.edit().apply(message, change.name, change);
        }
    }
}
