/**
 * The doctor: it finds causes of datagram loss on a host, with the observation and the command that fixes it.
 *
 * <p>{@link io.millrace.app.doctor.Doctor#examine} runs the checks of its table on a {@link
 * io.millrace.app.doctor.host.Host}. A check reads one subject and adds {@link io.millrace.app.doctor.Finding}s to the
 * {@link io.millrace.app.doctor.Examination}. {@link io.millrace.app.doctor.Diagnosis} is the table of all diagnoses
 * with their reasons, and docs/operate/doctor.md is generated from it. Checks read only {@code /proc}, {@code /sys} and the
 * output of tools, so recorded files can replace a host. A value that cannot be read is unavailable, and never guessed.
 * Nothing changes the host, except for the optional disk test, which writes a file and deletes it. Threads: only for
 * the output of tools.
 */
package io.millrace.app.doctor;
