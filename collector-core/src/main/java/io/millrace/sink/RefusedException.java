package io.millrace.sink;

/** Thrown for a record that a sink can never deliver, which then becomes a dead letter. It has no stack trace, because a sender can cause many. */
public final class RefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final Refusal kind;

    /**
     * Creates a refusal.
     *
     * @param kind the kind in the counters
     * @param reason the reason, for people
     */
    public RefusedException(Refusal kind, String reason) {
        super(reason);
        this.kind = kind;
    }

    /** The kind in the counters. */
    public Refusal kind() {
        return kind;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
