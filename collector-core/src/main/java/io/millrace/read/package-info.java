/**
 * Reading the journal back, live or later, in this process or another.
 *
 * <p>{@link io.millrace.read.Journal} opens a data directory to read; a {@link io.millrace.read.JournalCursor} made by it
 * walks over one shard or all of them and hands out views that are valid for one call. A {@link
 * io.millrace.read.Position} names a datagram for ever. Each cursor belongs to one thread; none starts a thread or
 * disturbs the writer.
 */
package io.millrace.read;
