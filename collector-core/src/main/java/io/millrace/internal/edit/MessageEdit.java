package io.millrace.internal.edit;

import io.millrace.message.Edit;

/** An edit of the bytes of a message, or of its fields. */
public abstract sealed class MessageEdit implements Edit permits Redaction, AddressPseudonyms, Truncation, FieldEdit {
    MessageEdit() {}

    /**
     * Edits a message.
     *
     * @throws IllegalArgumentException if it cannot be edited: nothing of it may leave then
     */
    abstract void apply(Draft draft);

    @Override
    public boolean isOfFields() {
        return false;
    }
}
