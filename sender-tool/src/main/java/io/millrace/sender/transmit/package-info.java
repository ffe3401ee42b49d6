/**
 * How datagrams get to the kernel: {@code TransmitterFactory} chooses a {@code Transmitter}. It uses a socket per source, or
 * the helper program {@code millrace-sources}, or, with too many sources for both, one group of sockets after the other.
 * Threads share a transmitter, but each source belongs to one thread. Nothing here starts a thread.
 */
package io.millrace.sender.transmit;
