/**
 * Reading the journal, while it is written or later, in this process or another.
 *
 * <p>{@link io.millrace.internal.journal.read.Journal} opens a data directory for reading. A
 * {@link io.millrace.internal.journal.read.JournalCursor} reads one shard or all of them, and passes views that are valid for
 * one call. A {@link io.millrace.internal.journal.read.Position} identifies a datagram permanently. Each cursor belongs to one
 * thread; none starts a thread or delays the writer.
 */
package io.millrace.internal.journal.read;
