/**
 * From the sockets to the ring.
 *
 * <p>A {@link io.millrace.internal.receive.Receiver} reads the sockets of one shard, one per input, into slabs. Its {@link
 * io.millrace.internal.receive.EventLoop} runs it on a Netty event loop: the loop reports a readable socket, the receiver reads until the socket is
 * empty or there is no free slab, and in threading {@code shared} the journal writer of the shard runs on the same thread right after.
 *
 * <p>Three rules hold. The receiver never parses and never logs a datagram: a bad one costs a counter. It reads only with a slab in hand:
 * without one, datagrams wait in the socket's buffer, and what the slab has no room for waits in the reader. No failed call ends it.
 *
 * <p>A slab is submitted when it is full; when the socket is empty and the writer has taken every earlier slab; or one millisecond after
 * its first frame.
 */
package io.millrace.internal.receive;
