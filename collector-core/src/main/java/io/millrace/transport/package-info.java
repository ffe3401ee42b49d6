/**
 * The SPI for transports: a {@link io.millrace.transport.DatagramReaderProvider} opens a reader for the socket of a receiver, which
 * appends datagrams to a batch. {@code ServiceLoader} finds it.
 *
 * <p>Threads: a reader is called by its receiver only.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.transport;
