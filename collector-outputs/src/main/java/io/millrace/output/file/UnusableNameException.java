package io.millrace.output.file;

import java.io.IOException;

/** The output cannot use a file name, whatever the state of the disk. It has no stack trace, because senders can cause many. */
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
