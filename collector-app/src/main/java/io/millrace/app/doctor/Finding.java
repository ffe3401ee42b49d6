package io.millrace.app.doctor;

/**
 * One thing that was looked at.
 *
 * @param diagnosis what it is about
 * @param severity how bad it is
 * @param subject which of several, such as {@code eth0}; empty if there is one only
 * @param seen what was seen, with its values
 * @param source where it was seen: a file, or a command
 * @param remediation what fixes it; {@link Remediation#NONE} if nothing has to be fixed
 */
public record Finding(
        Diagnosis diagnosis,
        FindingSeverity severity,
        String subject,
        String seen,
        String source,
        Remediation remediation) {
    /** What is stable: for scripts, and to look it up. */
    public String id() {
        return diagnosis.id();
    }

    /** The id, and the subject if there is one. */
    String name() {
        return subject.isEmpty() ? id() : id() + " (" + subject + ")";
    }
}
