package io.millrace.journal;

import io.millrace.internal.record.BatchLayout;

/** Thrown if an undamaged batch has an unknown format version. Such a batch is not interpreted. */
public final class UnknownVersionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param version the version found
     */
    public UnknownVersionException(int version) {
        super("the journal holds a batch of format version " + version + "; this Millrace supports up to version "
                + BatchLayout.VERSION_EXTENDED + ": use the Millrace that wrote it, or a later one");
    }
}
