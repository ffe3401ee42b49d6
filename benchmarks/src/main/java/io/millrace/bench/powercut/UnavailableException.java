package io.millrace.bench.powercut;

/** This host cannot run the test; the message says what is missing. */
final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    UnavailableException(String message) {
        super(message);
    }
}
