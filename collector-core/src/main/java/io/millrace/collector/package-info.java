/**
 * The entry point: {@link io.millrace.collector.Collector} connects receivers, rings, journal writers and counters,
 * starts them in order, and stops them in an order that loses nothing uncounted. All wiring is in this package.
 *
 * <p>Its other types are settings and values that internals use too: inputs, policy, counters, the ledger and its reasons for loss.
 *
 * <p>Threads: one {@code millrace-receive-N} per shard; in threading {@code dedicated} also one {@code
 * millrace-journal-N} each; {@code millrace-sources} with source tracking.
 */
package io.millrace.collector;
