/**
 * The write side of the journal: append, sync and retention.
 *
 * <p>A {@link io.millrace.internal.journal.write.JournalWriter} appends the slabs of one shard.
 * {@link io.millrace.internal.journal.write.Allocator} allocates disk blocks ahead of it,
 * {@link io.millrace.internal.journal.write.Syncer} syncs it, and {@link io.millrace.internal.journal.write.Retention} deletes the oldest
 * files.
 */
package io.millrace.internal.journal.write;
