package io.millrace.journal.recovery;

import io.millrace.record.GapReason;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams of a shard that are not in the journal, although others after them are, or they were counted.
 *
 * @param shard the shard
 * @param firstSequence the first number that is missing
 * @param count how many are missing
 * @param file where the journal goes on after them; at the shard's end, where it ends
 * @param offset byte in the file
 * @param beforeNs latest receive time of the batch before them, in ns since the epoch; 0 if there is none
 * @param afterNs earliest receive time of the batch after them; 0 if there is none
 * @param reason why, if a gap batch says so: then this is no damage, but known; null if nothing in the journal says so
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
    /** The number after the last one that is missing. */
    public long nextSequence() {
        return firstSequence + count;
    }
}
