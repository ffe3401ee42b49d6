/**
 * Stream inputs: taking the bytes of a connection apart into messages.
 *
 * <p>A {@link io.millrace.transport.stream.Framer} hands messages on where they lie. It knows nothing of sockets. One thread.
 */
package io.millrace.transport.stream;
