package io.millrace.app.sink.file;

import java.io.IOException;

/** There cannot be a file of this name for this output, whatever the state of the disk. Has no stack trace: a sender can cause many. */
class UnusableNameException extends IOException {
    private static final long serialVersionUID = 1;

    UnusableNameException(String reason) {
        super(reason);
    }

    @Override
    public final synchronized Throwable fillInStackTrace() {
        return this;
    }
}
