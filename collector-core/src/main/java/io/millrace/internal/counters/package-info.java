/**
 * Counters that survive a crash, and the loss ledger.
 *
 * <p>{@link io.millrace.collector.Counter} defines each counter. A {@link io.millrace.internal.counters.ShardCells} is the
 * cells of one shard in a memory-mapped {@link io.millrace.internal.counters.CounterFile}. Each cell has one writing thread and
 * any number of readers. {@link io.millrace.collector.Ledger} is the balance that always holds: what was received is
 * journaled, or in a named loss.
 */
package io.millrace.internal.counters;
