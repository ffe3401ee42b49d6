/**
 * What happened, in numbers that survive a crash.
 *
 * <p>{@link io.millrace.counters.Counter} names every counter once. A {@link io.millrace.counters.ShardCounters} is the
 * cells of one shard in a memory-mapped {@link io.millrace.counters.CounterFile}; each cell has one writing thread and
 * any number of readers. {@link io.millrace.counters.Ledger} adds the cells up to the sentence that must always hold:
 * received = journaled + denied + rate limited + crash + in flight.
 */
package io.millrace.counters;
