package io.millrace.internal.journal.file;

import java.io.IOException;

/** Thrown if the disk is too full for the journal. */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1;

    DiskFullException(String message) {
        super(message);
    }

    /** True if a write failed because the disk is full or the quota is reached. Java tells this only in the message. */
    public static boolean is(Throwable e) {
        String message = String.valueOf(e.getMessage());
        return e instanceof DiskFullException
                || message.contains("No space left on device")
                || message.contains("Disk quota exceeded");
    }
}
