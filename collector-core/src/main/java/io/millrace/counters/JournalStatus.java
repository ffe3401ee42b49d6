package io.millrace.counters;

import org.jspecify.annotations.Nullable;

/**
 * What the journal's files are, about a second ago.
 *
 * @param files how many
 * @param bytes their length together
 * @param oldestNs when the oldest datagram in them was received, in ns since the epoch; null if there is none
 */
public record JournalStatus(int files, long bytes, @Nullable Long oldestNs) {}
