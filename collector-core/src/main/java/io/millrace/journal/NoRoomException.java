package io.millrace.journal;

import java.io.IOException;

/** The disk has no room for the journal. */
final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1;

    NoRoomException(String message) {
        super(message);
    }

    /** True if a failure of a write says that the disk is full, or the quota reached: Java has only the message. */
    static boolean is(Throwable e) {
        String message = String.valueOf(e.getMessage());
        return e instanceof NoRoomException
                || message.contains("No space left on device")
                || message.contains("Disk quota exceeded");
    }
}
