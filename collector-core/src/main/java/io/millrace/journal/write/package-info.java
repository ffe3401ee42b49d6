/**
 * Appending to the journal, syncing it, and deleting its oldest files.
 *
 * <p>A {@link io.millrace.journal.write.JournalWriter} appends the slabs of one shard. {@link io.millrace.journal.write.Allocator} takes
 * blocks ahead of it, {@link io.millrace.journal.write.Syncer} syncs it, and {@link io.millrace.journal.write.Retention} deletes files
 * that no output needs.
 */
package io.millrace.journal.write;
