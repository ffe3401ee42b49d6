package io.millrace.app.control;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A service does not answer in time, or none runs: what is known of it is in the files of its data directory. */
public final class NoAnswerException extends IOException {
    private static final long serialVersionUID = 1;

    private final @Nullable String pid;

    NoAnswerException(String message, @Nullable String pid, @Nullable Throwable cause) {
        super(message, cause);
        this.pid = pid;
    }

    /** The process that does not answer; null if none runs. */
    public @Nullable String pid() {
        return pid;
    }
}
