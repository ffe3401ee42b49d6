/**
 * What Linux offers and the JDK does not: socket options by number, packet filters in classic BPF, {@code /proc/net/udp}, and calls of
 * the C library.
 *
 * <p>Each file of {@code /proc} has one parser, and each system call one method. Nothing here knows of datagrams or of the journal.
 */
package io.millrace.linux;
