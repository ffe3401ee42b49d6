package io.millrace.internal.edit;

/**
 * An edit of messages on their way to an output. It changes the bytes of a message, as {@link Redaction} does, or fields
 * alone: {@link SetField}, {@link RenameField}, {@link RemoveField}. Immutable: threads can share it.
 */
public abstract sealed class Edit permits Redaction, AddressPseudonyms, Truncation, FieldEdit {
    Edit() {}

    /**
     * Edits a message.
     *
     * @throws IllegalArgumentException if it cannot be edited: nothing of it may leave then
     */
    abstract void apply(Draft draft);

    /** True if it changes fields and not the bytes of the message, so that the format {@code raw} does not show it. */
    public boolean isOfFields() {
        return false;
    }
}
