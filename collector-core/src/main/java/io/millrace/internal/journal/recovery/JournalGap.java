package io.millrace.internal.journal.recovery;

import io.millrace.journal.GapReason;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A gap in the sequence numbers of a shard: datagrams that were numbered, but are not in the journal.
 *
 * @param shard the shard
 * @param firstSequence the first missing sequence number
 * @param count the number of missing datagrams
 * @param file the file of the batch after the gap; at the end of the shard, the last file
 * @param offset the position in the file
 * @param beforeNs the latest receive time of the batch before the gap, in ns since the epoch; 0 if there is none
 * @param afterNs the earliest receive time of the batch after the gap; 0 if there is none
 * @param reason the reason in a gap batch, which makes this a known gap and no damage; null if there is no gap batch
 */
public record JournalGap(
        int shard,
        long firstSequence,
        long count,
        Path file,
        long offset,
        long beforeNs,
        long afterNs,
        @Nullable GapReason reason) {
    /** The sequence number after the gap. */
    public long nextSequence() {
        return firstSequence + count;
    }
}
