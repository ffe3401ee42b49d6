/**
 * Reading the journal, while it is written or later, in this process or another.
 *
 * <p>{@link io.millrace.journal.Journal} opens a data directory for reading. A
 * {@link io.millrace.journal.JournalCursor} reads one shard or all of them, and passes views that are valid for
 * one call. A {@link io.millrace.journal.Position} identifies a datagram permanently. Each cursor belongs to one
 * thread; none starts a thread or delays the writer.
 */
package io.millrace.internal.journal.read;
