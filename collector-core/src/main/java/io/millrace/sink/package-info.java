/**
 * Delivery at least once: a {@link io.millrace.sink.Sink} encodes records and sends batches; {@link io.millrace.sink.SinkSettings} say
 * which records it gets and how; {@link io.millrace.sink.SinkPositions} how far it is. The journal id, shard, sequence and part of a
 * record identify it over all retries.
 *
 * <p>Threads: a sink is called by the thread of its delivery, and answers from any.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.sink;
