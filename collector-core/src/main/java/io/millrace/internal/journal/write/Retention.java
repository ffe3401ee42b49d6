package io.millrace.internal.journal.write;

import io.millrace.collector.Counter;
import io.millrace.collector.JournalStatus;
import io.millrace.collector.RetentionSettings;
import io.millrace.internal.agent.Agent;
import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.agent.Ticks;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.OutputProgress;
import io.millrace.internal.journal.file.ChronicleFiles;
import io.millrace.internal.journal.file.DiskReserve;
import io.millrace.transport.EpochClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The retention agent: every second, or every five while nothing is journaled, it deletes the oldest files of the journal by age, size and free space. It only
 * removes directory entries, so a writer or reader can still use an open file. It counts datagrams before it deletes
 * them, so a crash between the two counts nothing twice.
 *
 * <p>One thread calls {@link #doWork}; {@link #status} may be called by any.
 */
public final class Retention implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final long PASS_NS = TimeUnit.SECONDS.toNanos(1);
    /** The pass interval while nothing is journaled: only the age of files, and what others write to the disk, change. */
    private static final long QUIET_PASS_NS = TimeUnit.SECONDS.toNanos(5);
    /** The pass interval while the disk is full: a writer retries every 100 ms and needs time to notice freed space. */
    private static final long FREE_SPACE_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** How much earlier than the last time a thread may wake up. */
    private static final long EARLY_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final RetentionSettings settings;
    private final CounterFile counters;
    private final List<ShardFiles> shards = new ArrayList<>();
    private final Supplier<List<OutputProgress>> outputs;
    private final IntConsumer onDeleted;
    private final Path root;
    private final EpochClock clock;
    private final FailureLog heldLog = new FailureLog(LOG);
    private final FailureLog sharedLog = new FailureLog(LOG);
    private final FailureLog failures = new FailureLog(LOG);
    private long passedAtNs = System.nanoTime() - PASS_NS;
    private long passedTick;
    /** The number of journaled datagrams at a pass that deleted nothing. */
    private long quietAt = -1;

    private volatile JournalStatus status = new JournalStatus(0, 0, null);

    /**
     * Creates the agent for all shards of the counters.
     *
     * @param directory the data directory, which this process holds
     * @param outputs the progress of each configured output
     * @param onDeleted called with the shard after a file was deleted
     * @param clock the wall clock
     * @throws IOException if the directory cannot be read
     */
    public Retention(
            DataDirectory directory,
            CounterFile counters,
            RetentionSettings settings,
            Supplier<List<OutputProgress>> outputs,
            IntConsumer onDeleted,
            EpochClock clock)
            throws IOException {
        this.settings = settings;
        this.counters = counters;
        this.outputs = outputs;
        this.onDeleted = onDeleted;
        this.clock = clock;
        this.root = directory.root();
        for (int shard = 0; shard < counters.shardCount(); shard++) {
            Path path = JournalPaths.shardPath(directory.root(), shard);
            shards.add(new ShardFiles(path, directory.meta().journalId()));
        }
    }

    /** The idle strategy for the agent's thread. */
    public void idle(int workDone) {
        if (workDone == 0) {
            // Only a writer that waits for deletions needs a faster reaction.
            LockSupport.parkNanos(
                    Ticks.nsToNext(settings.whenFull() == RetentionSettings.WhenFull.DROP_OLDEST ? IDLE_NS : PASS_NS));
        }
    }

    @Override
    public String roleName() {
        return "retention";
    }

    /**
     * Deletes files that retention allows to delete, if it is time for a pass: sooner while the disk is full. Returns
     * their number.
     */
    @Override
    public int doWork() {
        long journaled = counters.sum(Counter.JOURNALED_DATAGRAMS);
        if (!isTime(journaled)) {
            return 0;
        }
        passedAtNs = System.nanoTime();
        passedTick = Ticks.number(QUIET_PASS_NS);
        try {
            int deleted = pass();
            quietAt = deleted == 0 ? journaled : -1;
            return deleted;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isTime(long journaled) {
        long sinceNs = System.nanoTime() - passedAtNs;
        if (mustFreeSpace()) {
            return sinceNs >= FREE_SPACE_NS;
        }
        boolean blocked = counters.sum(Counter.JOURNAL_BLOCKED) > 0;
        if (journaled == quietAt && !blocked) {
            return Ticks.number(QUIET_PASS_NS) != passedTick;
        }
        return sinceNs >= PASS_NS - EARLY_NS;
    }

    private boolean mustFreeSpace() {
        return settings.whenFull() == RetentionSettings.WhenFull.DROP_OLDEST && counters.sum(Counter.JOURNAL_FULL) > 0;
    }

    /** Lists all files, and deletes those that retention allows to delete. */
    int pass() throws IOException {
        for (ShardFiles shard : shards) {
            shard.refresh();
        }
        // Wait until all outputs know their positions: delivered datagrams must not count as unread.
        int deleted = outputs.get().stream().allMatch(OutputProgress::known) ? deleteExpired() : 0;
        status = new JournalStatus(
                shards.stream().mapToInt(shard -> shard.files().size()).sum(), bytes(), oldestNs());
        return deleted;
    }

    private int deleteExpired() throws IOException {
        int deleted = 0;
        if (mustFreeSpace() && expireOldest("the disk is full", true, true)) {
            deleted++;
        }
        boolean unreadToo = settings.unread() == RetentionSettings.Unread.EXPIRE;
        deleted += expireByAge(unreadToo);
        while (settings.sizeBytes() > 0
                && bytes() > settings.sizeBytes()
                && expireOldest("the journal is larger than its limit", unreadToo, false)) {
            deleted++;
        }
        // One file per pass: a file that is open elsewhere frees its space later, so more deletions might be
        // unnecessary.
        if (settings.freeBytes() > 0
                && DiskReserve.usableBytes(root) < settings.freeBytes()
                && expireOldest("the disk has too little free space", unreadToo, true)) {
            deleted++;
        }
        return deleted;
    }

    private long bytes() {
        return shards.stream().mapToLong(ShardFiles::bytes).sum();
    }

    private @Nullable Long oldestNs() {
        Long oldest = null;
        for (ShardFiles shard : shards) {
            Long ns = shard.oldestNs();
            oldest = oldest == null || (ns != null && ns < oldest) ? ns : oldest;
        }
        return oldest;
    }

    private int expireByAge(boolean unreadToo) throws IOException {
        if (settings.age() == null) {
            return 0;
        }
        long before = clock.epochNs() - settings.age().toNanos();
        int deleted = 0;
        for (int shard = 0; shard < shards.size(); shard++) {
            ShardFiles.Closed oldest = shards.get(shard).oldest();
            while (oldest != null && oldest.endNs() < before && expire(shard, oldest, "it is too old", unreadToo)) {
                deleted++;
                oldest = shards.get(shard).oldest();
            }
        }
        return deleted;
    }

    /**
     * Deletes the oldest file that may be deleted; false if there is none.
     *
     * @param forSpace only files without other hard links, which free space; the old journal of a repair shares files
     */
    private boolean expireOldest(String why, boolean unreadToo, boolean forSpace) throws IOException {
        List<OutputProgress> now = outputs.get();
        int from = -1;
        ShardFiles.Closed oldest = null;
        String holder = null;
        for (int shard = 0; shard < shards.size(); shard++) {
            ShardFiles.Closed candidate = shards.get(shard).oldest();
            if (candidate != null && forSpace && ChronicleFiles.isShared(candidate.path())) {
                sharedLog.report(
                        "Shard {}: {} is kept although {}: it has a hard link in another directory, so deleting it"
                                + " frees nothing; remove journal.before-repair-… if you do not need it any more",
                        shard,
                        candidate.path().getFileName(),
                        why);
                continue;
            }
            String held = candidate == null || unreadToo ? null : holder(now, shard, candidate);
            if (held != null) {
                holder = held;
            } else if (candidate != null && (oldest == null || candidate.beginNs() < oldest.beginNs())) {
                oldest = candidate;
                from = shard;
            }
        }
        if (oldest != null) {
            return expire(from, oldest, why, unreadToo);
        }
        if (holder != null) {
            logHeld(why, holder);
        }
        return false;
    }

    private void logHeld(String why, String holder) {
        heldLog.report(
                "The oldest file of the journal is kept although {}: output {} has not acknowledged all of it",
                why,
                holder);
    }

    /** The name of an output that has not acknowledged all of a file; null if all have. */
    private static @Nullable String holder(List<OutputProgress> outputs, int shard, ShardFiles.Closed file) {
        for (OutputProgress output : outputs) {
            if (output.unread(shard, 0, file.endSequence()) > 0) {
                return output.output();
            }
        }
        return null;
    }

    private boolean expire(int shard, ShardFiles.Closed file, String why, boolean unreadToo) throws IOException {
        List<OutputProgress> now = outputs.get();
        String holder = holder(now, shard, file);
        if (holder != null && !unreadToo) {
            logHeld(why, holder);
            return false;
        }
        account(shard, file, now);
        try {
            // If the disk forgets this and not the deletion, a power failure seems to have taken the datagrams.
            counters.shard(shard).sync();
            shards.get(shard).deleteOldest();
        } catch (IOException e) {
            failures.report("Shard " + shard + ": cannot delete " + file.path() + " (" + why + ")", e);
            return false;
        }
        onDeleted.accept(shard);
        LOG.info(
                "Shard {}: deleted {} with datagrams {} to {}, {} MiB: {}",
                shard,
                file.path().getFileName(),
                file.firstSequence(),
                file.endSequence() - 1,
                file.bytes() >> 20,
                why);
        return true;
    }

    private void account(int shard, ShardFiles.Closed file, List<OutputProgress> outputs) {
        ShardCells cells = counters.shard(shard);
        long done = Math.max(file.firstSequence(), cells.get(Counter.EXPIRED_DATAGRAMS));
        long unread = 0;
        for (OutputProgress output : outputs) {
            long lost = output.unread(shard, done, file.endSequence());
            if (lost > 0) {
                LOG.warn(
                        "Shard {}: {} datagrams expire before output {} has acknowledged them",
                        shard,
                        lost,
                        output.output());
            }
            unread = Math.max(unread, lost);
        }
        cells.add(Counter.EXPIRED_UNREAD_DATAGRAMS, unread);
        if (file.endSequence() > cells.get(Counter.EXPIRED_DATAGRAMS)) {
            cells.set(Counter.EXPIRED_DATAGRAMS, file.endSequence());
        }
    }

    /** The status of the journal after the last pass. Any thread. */
    public JournalStatus status() {
        return status;
    }
}
