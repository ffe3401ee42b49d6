package io.millrace.internal.journal.recovery;

import io.millrace.internal.record.BatchView;
import io.millrace.journal.DatagramView;
import io.millrace.journal.JournalMeta;
import java.util.List;

/**
 * A summary of the content of a journal.
 *
 * @param journalId the random id of the journal
 * @param datagrams the number of datagrams
 * @param payloadBytes the total length of the payloads, as stored
 * @param batches the number of batches
 * @param bytesOnDisk the bytes of the files, each up to the end of its last batch
 * @param shards the summaries of the shards
 * @param gaps the gaps, by shard and in order
 */
public record JournalSummary(
        long journalId,
        long datagrams,
        long payloadBytes,
        long batches,
        long bytesOnDisk,
        List<Shard> shards,
        List<JournalGap> gaps) {
    /** The number of missing datagrams without a gap batch. */
    public long missing() {
        return gaps.stream()
                .filter(gap -> gap.reason() == null)
                .mapToLong(JournalGap::count)
                .sum();
    }

    /**
     * A summary of the content of a shard.
     *
     * @param shard the number of the shard
     * @param files the number of files
     * @param datagrams the number of datagrams
     * @param payloadBytes the total length of the payloads, as stored
     * @param batches the number of batches
     * @param bytesOnDisk the bytes of the files, each up to the end of its last batch
     * @param firstSequence the sequence number of the first datagram; 0 if there is none
     * @param nextSequence the sequence number after the last datagram
     * @param minTimeNs the earliest receive time, in ns since the epoch; 0 if there is no datagram
     * @param maxTimeNs the latest receive time, in ns since the epoch; 0 if there is no datagram
     */
    public record Shard(
            int shard,
            int files,
            long datagrams,
            long payloadBytes,
            long batches,
            long bytesOnDisk,
            long firstSequence,
            long nextSequence,
            long minTimeNs,
            long maxTimeNs) {}

    static JournalSummary of(JournalMeta meta, List<Shard> shards, List<JournalGap> gaps) {
        return new JournalSummary(
                meta.journalId(),
                shards.stream().mapToLong(Shard::datagrams).sum(),
                shards.stream().mapToLong(Shard::payloadBytes).sum(),
                shards.stream().mapToLong(Shard::batches).sum(),
                shards.stream().mapToLong(Shard::bytesOnDisk).sum(),
                List.copyOf(shards),
                List.copyOf(gaps));
    }

    /** Sums up the batches of a shard. */
    static final class Tally {
        private final int shard;
        private final DatagramView datagram = new DatagramView();
        private int files;
        private long datagrams;
        private long payloadBytes;
        private long batches;
        private long bytesOnDisk;
        private long firstSequence;
        private long nextSequence;
        private long minTimeNs;
        private long maxTimeNs;

        Tally(int shard) {
            this.shard = shard;
        }

        void file(long usedBytes) {
            files++;
            bytesOnDisk += usedBytes;
        }

        void add(BatchView batch) {
            nextSequence = batch.nextSequence();
            if (datagrams == 0) {
                firstSequence = batch.firstSequence();
                minTimeNs = batch.minTimeNs();
                maxTimeNs = batch.maxTimeNs();
            }
            batches += batch.isGap() ? 0 : 1;
            datagrams += batch.count();
            if (batch.count() > 0) {
                minTimeNs = Math.min(minTimeNs, batch.minTimeNs());
                maxTimeNs = Math.max(maxTimeNs, batch.maxTimeNs());
                batch.first(datagram);
                do {
                    payloadBytes += datagram.payloadLength();
                } while (datagram.next());
            }
        }

        Shard summary() {
            return new Shard(
                    shard,
                    files,
                    datagrams,
                    payloadBytes,
                    batches,
                    bytesOnDisk,
                    firstSequence,
                    nextSequence,
                    minTimeNs,
                    maxTimeNs);
        }
    }
}
