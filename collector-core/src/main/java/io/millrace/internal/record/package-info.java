/**
 * The record format: how datagrams are encoded as frames of a batch. No other package knows the offsets.
 *
 * <pre>
 * batch  = header (64 bytes), frame*
 * frame  = frame header (IPv4 16 bytes, IPv6 32), [extension (8 bytes), attributes], payload,
 *          padding to a multiple of 8                                                        all little-endian
 * </pre>
 *
 * <p>Frames of other transports than UDP have the extension. It holds the upper halves of the lengths, the transport, and
 * attributes of the connection, such as the credentials of the peer.
 *
 * <p>A {@link io.millrace.transport.StagedDatagram} was received and is not in a batch yet. A {@link
 * io.millrace.internal.record.FrameWriter} writes it as a frame. A {@link io.millrace.internal.record.BatchView} and a {@link
 * io.millrace.journal.DatagramView} read it back without copying. They allocate only when they are created, and only one
 * thread at a time may use them. {@code docs/reference/record-format.md} describes the format.
 */
package io.millrace.internal.record;
