/**
 * Passing bound sockets from one process to another.
 *
 * <p>A {@link io.millrace.handoff.DescriptorSocket} is one connection of a Unix socket that carries messages and descriptors
 * ({@code SCM_RIGHTS}); a {@link io.millrace.handoff.DescriptorServer} waits for such connections. A {@link
 * io.millrace.handoff.BoundSocket} is what is passed: a UDP socket that is bound already. The protocol between an old and a new
 * process of the service is in the service.
 */
package io.millrace.handoff;
