package io.millrace.app.doctor;

/**
 * A finding of a check.
 *
 * @param diagnosis the diagnosis
 * @param severity the severity
 * @param subject the subject among several, such as {@code eth0}; empty if there is only one
 * @param seen the observation with its values
 * @param source the file or command of the observation
 * @param remediation the remediation; {@link Remediation#NONE} if none is needed
 */
public record Finding(
        Diagnosis diagnosis,
        FindingSeverity severity,
        String subject,
        String seen,
        String source,
        Remediation remediation) {
    public String id() {
        return diagnosis.id();
    }

    /** The id, and the subject if there is one. */
    String name() {
        return subject.isEmpty() ? id() : id() + " (" + subject + ")";
    }
}
