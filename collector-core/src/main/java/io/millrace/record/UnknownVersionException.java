package io.millrace.record;

/** An undamaged batch has a version that this code does not know: nothing of it is guessed. */
public final class UnknownVersionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Names the version.
     *
     * @param version the version found
     */
    public UnknownVersionException(int version) {
        super("the journal holds a batch of format version " + version + "; this Millrace knows up to version "
                + BatchLayout.VERSION_EXTENDED + ": use the Millrace that wrote it, or a later one");
    }
}
