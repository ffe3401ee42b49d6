/**
 * Taking a stream of bytes apart into messages (RFC 6587): octet counting, line ends, NUL. Without sockets and threads.
 *
 * <p>{@link io.millrace.internal.transport.framing.Framer} has the state of one connection. What it finds does not depend on how the stream is split
 * into reads.
 */
package io.millrace.internal.transport.framing;
