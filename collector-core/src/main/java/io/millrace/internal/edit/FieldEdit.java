package io.millrace.internal.edit;

import io.millrace.internal.parse.ParsedMessage;

/** An edit of fields alone. The draft keeps it, and applies it again each time the bytes of the message have changed. Immutable. */
abstract sealed class FieldEdit extends MessageEdit permits SetField, RenameField, RemoveField {
    private static final byte[] NO_NAME = {};

    /** The name that a field gets, and that must be in the memory of the message; empty for none. */
    byte[] newName() {
        return NO_NAME;
    }

    /**
     * Changes the fields.
     *
     * @param message its offsets are into the memory of the draft
     * @param name where {@link #newName} is in it
     * @param change the value, if the edit has one
     */
    abstract void apply(ParsedMessage message, int name, Draft.Change change);

    @Override
    public boolean isOfFields() {
        return true;
    }
}
