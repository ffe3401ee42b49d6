/**
 * The format of Chronicle Queue's files, read and written without Chronicle where Chronicle is too slow or too strict.
 *
 * <p>{@link io.millrace.journal.file.ChronicleBytes} has the layout, {@link io.millrace.journal.file.ChronicleIndex} the index, {@link
 * io.millrace.journal.file.ExcerptFile} reads excerpts, {@link io.millrace.journal.file.FileAllocation} takes blocks of the disk before
 * they are used, and {@link io.millrace.journal.file.ChronicleFiles} opens a shard's queue.
 */
package io.millrace.journal.file;
