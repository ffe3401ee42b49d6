/**
 * Stream inputs: listeners, connections, and taking the bytes of a connection apart into messages.
 *
 * <p>{@link io.millrace.internal.transport.stream.StreamListeners} binds. A listener and the connections that it accepts live on one event
 * loop, whose {@link io.millrace.internal.transport.stream.StreamConnections} reads all of them into one buffer. A framer takes each read apart,
 * and the messages go straight into the slab of the loop's receiver. So a connection needs no lock, has no buffer while it is idle, and
 * keeps at most one incomplete message and one read.
 *
 * <p>Everything but binding and reading counters runs on the loop's thread.
 */
package io.millrace.internal.transport.stream;
