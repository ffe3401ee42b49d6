/**
 * Delivery of the journal to destinations: at least once, at each destination's own pace.
 *
 * <pre>
 *  JournalCursor ─▶ filter ─▶ Sink.encode ─▶ DeliveryBatch ─▶ Sink.send ─▶ …
 *                                               ▲                        │ done, failed, refused: any thread, any order
 *                                               └── sent again ◀─────────┤
 *          Positions (on disk, every second) ◀── batches in order ◀─────┘──▶ DeadLetters (what is refused)
 * </pre>
 *
 * <p>Each sink has a {@link io.millrace.internal.deliver.Delivery} with its own thread and cursor, so a slow, dead or wrongly
 * configured destination delays neither receiving nor another sink. A batch is settled when its sink has acknowledged or refused
 * every record, and the position moves over batches in their order. After a crash, records between the position and the last
 * acknowledgement are sent again; none is skipped. A record is identified by journal id, shard and sequence, and by its part if
 * its datagram holds several messages. Positions and counts are in datagrams.
 */
package io.millrace.internal.deliver;
