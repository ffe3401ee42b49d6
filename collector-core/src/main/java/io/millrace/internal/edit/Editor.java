package io.millrace.internal.edit;

import io.millrace.internal.format.JournalRecord;
import io.millrace.message.Edit;
import java.util.List;

/** Applies the edits of an output, in their order. It reuses its memory. One thread. */
public final class Editor {
    private final List<MessageEdit> edits;
    private final Draft draft;

    /**
     * Creates an editor.
     *
     * @param fieldsWritten true if JSON includes the fields of the body as an object
     */
    public Editor(List<Edit> edits, boolean fieldsWritten) {
        this.edits = edits.stream().map(MessageEdit.class::cast).toList();
        this.draft = new Draft(this.edits, fieldsWritten);
    }

    /**
     * Edits a message. A compressed one is expanded first, and stays so if an edit changes it.
     *
     * @return the record itself if no edit changes it; else a record that is valid until the next call, as long as the other one
     * @throws IllegalArgumentException if the message cannot be edited
     */
    public JournalRecord edit(JournalRecord record) {
        if (edits.isEmpty()) {
            return record;
        }
        if (isChunk(record)) {
            throw new IllegalArgumentException("it is a chunk of a GELF message whose other chunks are missing");
        }
        draft.wrap(record);
        for (int i = 0; i < edits.size(); i++) {
            edits.get(i).apply(draft);
        }
        return draft.result();
    }

    /** True if the last edited message differs from the original in its fields too, so that its bytes still have what was removed. */
    public boolean hasChangedFields() {
        return draft.hasChangedFields();
    }

    /** True for a part of a message, which may begin in the middle of what an edit would replace. */
    private static boolean isChunk(JournalRecord record) {
        byte[] bytes = record.bytes();
        int begin = record.begin();
        return record.end() - begin > 2 && bytes[begin] == 0x1e && bytes[begin + 1] == 0x0f;
    }
}
