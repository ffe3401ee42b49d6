/**
 * The ring of reusable buffers between a receiver and the journal writer of its shard.
 *
 * <p>A fixed number of {@link io.millrace.internal.ring.Slab}s circulates through two single-producer single-consumer queues:
 * one passes full slabs to the writer, the other returns free slabs to the receiver. The thread that took a slab from a
 * queue owns it until it puts the slab into the other queue. The queues are also the memory barriers. Without a free
 * slab the receiver stops reading, and datagrams wait in the socket's receive buffer. No queue grows. If receiver and writer are one
 * thread, free slabs are a stack instead, so that few slabs are in use and stay in the CPU's cache.
 */
package io.millrace.internal.ring;
