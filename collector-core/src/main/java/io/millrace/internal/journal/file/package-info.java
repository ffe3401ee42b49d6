/**
 * The files of a shard, and all that this project knows of Chronicle Queue.
 *
 * <p>Chronicle creates a file per roll cycle, keeps its header, the lengths of the excerpts and its index, and marks the end of a file.
 * A batch is one excerpt. Chronicle lets other processes read while one appends, so its own tools can read a journal; a test does. The
 * rest is done here, because Chronicle maps each page before it writes it, opens every file at the start, waits for files whose
 * creation was interrupted, and rolls by time only: batches are written with {@code pwrite}, blocks are allocated ahead, readers
 * find batches without Chronicle, and files roll by size.
 *
 * <p>{@link io.millrace.internal.journal.file.ChronicleBytes} defines the layout and
 * {@link io.millrace.internal.journal.file.ChronicleIndex} the index. {@link io.millrace.internal.journal.file.ExcerptFile} reads
 * excerpts, {@link io.millrace.internal.journal.file.FileAllocation} allocates disk blocks ahead, and
 * {@link io.millrace.internal.journal.file.ChronicleFiles} opens a shard's queue.
 */
package io.millrace.internal.journal.file;
