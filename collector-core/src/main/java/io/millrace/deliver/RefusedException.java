package io.millrace.deliver;

/** A record that a sink can never deliver: it becomes a dead letter, and the output goes on. Has no stack trace: a sender can cause many. */
public final class RefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final Refusal kind;

    /**
     * A refusal.
     *
     * @param kind what it is counted as
     * @param reason why, for people
     */
    public RefusedException(Refusal kind, String reason) {
        super(reason);
        this.kind = kind;
    }

    /** What it is counted as. */
    public Refusal kind() {
        return kind;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
