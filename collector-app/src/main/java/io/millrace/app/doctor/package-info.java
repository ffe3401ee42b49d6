/**
 * What on this host will lose datagrams, or did, how it was seen, and the command that fixes it.
 *
 * <p>{@link io.millrace.app.doctor.Doctor#examine} asks each check of its table to look at a {@link
 * io.millrace.app.doctor.host.Host}. A check is a class that reads one thing and adds {@link io.millrace.app.doctor.Finding}s
 * to the {@link io.millrace.app.doctor.Examination}; {@link io.millrace.app.doctor.Diagnosis} is the table of all that can be
 * found, with the reason why it loses datagrams, and docs/doctor.md is made from it. Checks read {@code /proc}, {@code
 * /sys} and what tools print, and nothing else, so that a tree of recorded files is a host too. What cannot be read is
 * said to be unavailable, never guessed. Nothing here changes the host, but for a test file that is written to the data
 * directory's disk and deleted, if asked for. No threads but those that read the output of a tool.
 */
package io.millrace.app.doctor;
