/**
 * The file format of Chronicle Queue, with readers and writers of our own where Chronicle is too slow or too strict.
 *
 * <p>{@link io.millrace.internal.journal.file.ChronicleBytes} defines the layout and
 * {@link io.millrace.internal.journal.file.ChronicleIndex} the index. {@link io.millrace.internal.journal.file.ExcerptFile} reads
 * excerpts, {@link io.millrace.internal.journal.file.FileAllocation} allocates disk blocks ahead, and
 * {@link io.millrace.internal.journal.file.ChronicleFiles} opens a shard's queue.
 */
package io.millrace.internal.journal.file;
