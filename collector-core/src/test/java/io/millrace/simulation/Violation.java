package io.millrace.simulation;

/** A promise that the collector has broken in a history. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1;

    Violation(String what) {
        super(what);
    }
}
