/**
 * The bytes: the one place that knows where in a batch a number stands.
 *
 * <pre>
 * batch  = header (64 bytes), frame*
 * frame  = frame header (IPv4 16 bytes, IPv6 32), [extension (8 bytes), attributes], payload,
 *          padding to a multiple of 8                                                        all little-endian
 * </pre>
 *
 * <p>The extension is in frames that are no UDP datagrams: it holds the upper halves of the lengths, the transport, and
 * attributes of the connection such as the credentials of the peer.
 *
 * <p>A {@link io.millrace.record.StagedDatagram} is a datagram that was received but has no place yet; a {@link
 * io.millrace.record.BatchWriter} writes it as a frame; a {@link io.millrace.record.BatchView} and a {@link
 * io.millrace.record.DatagramView} read it back without copying. Nothing here allocates once it is made, and nothing here
 * is safe for two threads at once. {@code docs/record-format.md} tells the format to others.
 */
package io.millrace.record;
