/**
 * Socket handoff: passing sockets from one process to another.
 *
 * <p>A {@link io.millrace.internal.handoff.DescriptorSocket} is a connection of a Unix socket that carries messages and descriptors
 * ({@code SCM_RIGHTS}). A {@link io.millrace.internal.handoff.DescriptorServer} accepts such connections. A {@link
 * io.millrace.collector.BoundSocket} is a UDP socket that is passed, and a {@link io.millrace.collector.Successor.PassedStream} a socket of a
 * stream input. The protocol between an old and a new process is part of the service.
 */
package io.millrace.internal.handoff;
