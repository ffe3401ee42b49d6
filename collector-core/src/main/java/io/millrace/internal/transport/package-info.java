/**
 * UDP sockets and their receive calls.
 *
 * <p>A {@link io.millrace.internal.transport.Transport} opens sockets: {@code epoll} or {@code nio}, or {@code epoll} with the receive call of
 * another module (a {@link io.millrace.transport.DatagramReaderProvider}). A {@link io.millrace.transport.DatagramReader} appends the
 * datagrams of a read to a batch, as frames. {@link io.millrace.internal.transport.SocketBinder} binds a socket for each input and shard, or
 * adopts sockets that were passed.
 *
 * <p>To add another receive call for UDP, implement {@link io.millrace.transport.DatagramReaderProvider} and name it in
 * {@code META-INF/services}. The protocol by which a message came is {@link io.millrace.journal.FrameTransport}.
 */
package io.millrace.internal.transport;
