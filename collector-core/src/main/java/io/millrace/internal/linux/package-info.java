/**
 * Linux interfaces that the JDK does not offer: socket options by number, packet filters in classic BPF, functions of
 * the C library, and files of {@code /proc}.
 *
 * <p>Each file of {@code /proc} has one parser, and each system call has one method. The parsers take text, so they
 * also work on recorded files of another host. This package does not depend on datagrams or the journal, and starts no
 * thread.
 */
package io.millrace.internal.linux;
