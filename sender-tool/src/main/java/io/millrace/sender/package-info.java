/**
 * An open-loop UDP load generator. It sends numbered datagrams at the times of a schedule, however late the last one was,
 * and counts exactly what it sent. It does not depend on the collector. They only share the format of the payload, see
 * {@link io.millrace.sender.payload.SequencePayload}.
 *
 * <p>Packages depend on each other in one direction: {@code command} → {@code run} → {@code transmit} → {@code payload} →
 * {@code schedule} → {@code value}. {@code pcap} reads capture files for {@code payload}. No allocation per datagram.
 */
package io.millrace.sender;
