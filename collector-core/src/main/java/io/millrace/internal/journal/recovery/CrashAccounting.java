package io.millrace.internal.journal.recovery;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.file.FirstBatch;
import io.millrace.internal.journal.read.ShardReader;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Corrects the counters of a shard after a crash, at the start, before any other thread writes them. */
public final class CrashAccounting {
    private static final Logger LOG = LoggerFactory.getLogger(CrashAccounting.class);

    private CrashAccounting() {}

    /**
     * Initializes new counters with the beginning of the journal: earlier datagrams count as deleted by retention.
     * Otherwise {@code journal verify} would report them as missing. Before {@link #account}.
     */
    public static void initializeExpired(Path shard, long journalId, ShardCells counters) throws IOException {
        if (counters.get(Counter.RECEIVED_DATAGRAMS) != 0 || counters.get(Counter.EXPIRED_DATAGRAMS) != 0) {
            return;
        }
        for (Path file : JournalPaths.files(shard)) {
            FirstBatch first = FirstBatch.find(file, journalId);
            if (first != null) {
                counters.set(Counter.EXPIRED_DATAGRAMS, first.firstSequence());
                return;
            }
        }
    }

    /**
     * The next sequence number of a shard, which continues after all numbers that may have been in use.
     *
     * @param hostFailed true if what was not synced may be gone: an output may have delivered datagrams with reserved numbers
     */
    public static long nextSequence(long journalEnd, boolean hostFailed, ShardCells counters) {
        long counted = Math.max(journalEnd, counters.get(Counter.JOURNALED_DATAGRAMS));
        return hostFailed ? Math.max(counters.reservedTo(), counted) : counted;
    }

    /**
     * Corrects the counters after a kill. Then the counters can be one append behind the journal, and can include
     * received datagrams that were not journaled. The number of journaled datagrams is also the next sequence number.
     *
     * <p>If the host failed, the numbers between the end of the journal and the next one count as lost by the power failure.
     *
     * @param hostFailed true if what was not synced may be gone
     * @param nextSequence of {@link #nextSequence}
     */
    public static void account(int shard, long journalEnd, boolean hostFailed, long nextSequence, ShardCells counters) {
        long counted = counters.get(Counter.JOURNALED_DATAGRAMS);
        if (hostFailed && nextSequence > journalEnd) {
            counters.add(DropReason.POWER_FAILURE.counter(), nextSequence - journalEnd);
            LOG.warn(
                    "Shard {}: power failure: between {} and {} datagrams are missing at the end of the journal, the sequence numbers"
                            + " {} to {}. The numbering continues after them",
                    shard,
                    Math.max(0, counted - journalEnd),
                    nextSequence - journalEnd,
                    journalEnd,
                    nextSequence - 1);
        } else if (counted > journalEnd) {
            LOG.warn(
                    "Shard {}: the journal ends before datagram {}, but {} were appended: a file was truncated or removed. The"
                            + " numbering continues after them",
                    shard,
                    journalEnd,
                    counted);
        }
        counters.set(Counter.JOURNALED_DATAGRAMS, nextSequence);
        long lost = counters.get(Counter.RECEIVED_DATAGRAMS) - counters.accounted();
        if (lost > 0) {
            counters.add(DropReason.CRASH.counter(), lost);
            LOG.warn(
                    "Shard {}: the last process crashed with {} datagrams received but not journaled; counted as crash",
                    shard,
                    lost);
        } else if (lost < 0) {
            counters.add(Counter.RECEIVED_DATAGRAMS, -lost);
            if (!hostFailed) {
                LOG.warn(
                        "Shard {}: the journal holds {} datagrams more than were counted; the counters are corrected",
                        shard,
                        -lost);
            }
        }
    }

    /**
     * Updates the counters of a shard that is not written in this run, if the last process crashed.
     *
     * @throws IOException if the shard cannot be read
     */
    public static void accountUnused(DataDirectory directory, int shard, ShardCells counters) throws IOException {
        Path path = JournalPaths.shardPath(directory.root(), shard);
        EmptyFiles.removeFrom(path, counters.get(Counter.JOURNALED_DATAGRAMS));
        initializeExpired(path, directory.meta().journalId(), counters);
        long journalEnd = ShardReader.endSequence(path);
        account(shard, journalEnd, false, nextSequence(journalEnd, false, counters), counters);
    }
}
