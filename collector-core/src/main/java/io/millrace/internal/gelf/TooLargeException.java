package io.millrace.internal.gelf;

/** Thrown for a message that is needed and expands to more than its limit. It has no stack trace, because a sender can cause many. */
public final class TooLargeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param payloadBytes the size of the compressed payload
     * @param limit the limit of its expanded size
     */
    public TooLargeException(int payloadBytes, int limit) {
        super("it is compressed, and expands to more than " + limit
                + " bytes, which the setting maxExpanded allows for " + payloadBytes + " bytes");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
