/**
 * From the kernel to the ring.
 *
 * <p>A {@link io.millrace.receive.Receiver} serves the sockets of one shard, one an input, and fills slabs. Its {@link
 * io.millrace.receive.ReceiverLoop} puts it on a Netty event loop: the loop says that a socket can be read, the receiver
 * reads until it is empty or there is no room, and in threading {@code shared} the journal writer of the shard runs on
 * the same thread right after. A {@link io.millrace.receive.Transport} opens sockets: {@code epoll} or {@code nio}, or
 * {@code epoll} with the receive call of a module (a {@link io.millrace.receive.DatagramReaderProvider}). A socket's {@link
 * io.millrace.receive.DatagramReader} writes what a read brings as frames into a batch.
 *
 * <p>Three rules hold. It never parses and never logs a datagram: a bad one costs a counter. It starts a read only when
 * there is a slab for it: without one the datagrams wait in the socket's buffer. What the slab does not hold waits in the
 * reader. And no failed call ends it.
 *
 * <p>A slab is handed over when it is full; when the socket is empty and the writer has taken everything handed over
 * before; or one millisecond after its first frame.
 */
package io.millrace.receive;
