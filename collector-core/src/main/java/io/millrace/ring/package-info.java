/**
 * The bounded handoff between a receiver and the journal writer of its shard.
 *
 * <p>A fixed number of {@link io.millrace.ring.Slab}s goes round and round through two single-producer single-consumer
 * queues: full slabs to the writer, free ones back. A slab belongs to whoever took it from a queue last, and to nobody
 * else; the queues order the memory. With no free slab the receiver has no room, and does not read: the overload then
 * waits in the socket's buffer. There is no other queue, and none that grows.
 */
package io.millrace.ring;
