/**
 * Interfaces of Linux that the JDK does not have: socket options by number, packet filters in classic BPF, calls of the C
 * library, and files of {@code /proc}.
 *
 * <p>Each file of {@code /proc} has one parser, and each system call one method. The parsers take texts, so that they also
 * work on the recorded files of another host. Nothing here depends on datagrams or the journal. It starts no thread.
 */
package io.millrace.linux;
