/**
 * From the journal to where logs are used, at least once, at each destination's own pace.
 *
 * <pre>
 *  JournalCursor ─▶ filter ─▶ Sink.encode ─▶ SinkBatch ─▶ Sink.send ─▶ …
 *                                               ▲                        │ done, failed, refused: any thread, any order
 *                                               └── sent again ◀─────────┤
 *          Positions (on disk, every second) ◀── batches in order ◀─────┘──▶ DeadLetters (what is refused for good)
 * </pre>
 *
 * <p>Each sink has a {@link io.millrace.deliver.Delivery} with a thread and a cursor of its own: a slow, dead or wrongly
 * configured one delays neither receiving nor another sink. A batch is given up only when its sink has acknowledged it or
 * has refused each record that is left, and the position moves over batches in their order: what a crash leaves between a
 * destination and the position is sent again, and never left out. A record is known again by journal id, shard and
 * sequence, and by its part if its datagram holds several messages. Positions and counts are of datagrams all the same.
 */
package io.millrace.deliver;
