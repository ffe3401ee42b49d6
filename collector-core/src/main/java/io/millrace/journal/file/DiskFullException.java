package io.millrace.journal.file;

import java.io.IOException;

/** The disk has no room for the journal. */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1;

    DiskFullException(String message) {
        super(message);
    }

    /** True if a failure of a write says that the disk is full, or the quota reached: Java has only the message. */
    public static boolean is(Throwable e) {
        String message = String.valueOf(e.getMessage());
        return e instanceof DiskFullException
                || message.contains("No space left on device")
                || message.contains("Disk quota exceeded");
    }
}
