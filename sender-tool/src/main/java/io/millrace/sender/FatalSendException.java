package io.millrace.sender;

import java.io.IOException;

/** After this nothing can be sent any more, so the run ends. */
final class FatalSendException extends IOException {
    private static final long serialVersionUID = 1;

    FatalSendException(String message, IOException cause) {
        super(message, cause);
    }
}
