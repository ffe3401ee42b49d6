package io.millrace.app.control;

import java.io.IOException;

/** A service does not answer in time, or none runs: what is known of it is in the files of its data directory. */
public final class NoAnswerException extends IOException {
    private static final long serialVersionUID = 1;

    NoAnswerException(String message, Throwable cause) {
        super(message, cause);
    }

    NoAnswerException(String message) {
        super(message);
    }
}
