package io.millrace.sender.transmit;

import java.io.IOException;

/** The transmitter cannot send any more, so the run ends. */
public final class FatalSendException extends IOException {
    private static final long serialVersionUID = 1;

    public FatalSendException(String message, IOException cause) {
        super(message, cause);
    }
}
