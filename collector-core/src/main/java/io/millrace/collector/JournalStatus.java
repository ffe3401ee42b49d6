package io.millrace.collector;

import org.jspecify.annotations.Nullable;

/**
 * The state of the journal's files, at most about one second old, or five while nothing is journaled.
 *
 * @param files the number of files
 * @param bytes the total length
 * @param oldestNs the receive time of the oldest datagram in ns since the epoch; null if there is none
 */
public record JournalStatus(int files, long bytes, @Nullable Long oldestNs) {}
