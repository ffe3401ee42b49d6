package io.millrace.internal.journal.write;

import io.millrace.collector.WriterSettings;
import io.millrace.internal.journal.file.ChronicleFiles;
import io.millrace.internal.journal.file.FileAllocation;
import io.millrace.internal.journal.file.FileTimes;
import io.millrace.internal.journal.file.FirstBatch;
import io.millrace.internal.journal.file.RollClock;
import io.millrace.internal.record.FrameWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The file that a shard's batches are appended to. It decides when to roll and allocates blocks. One thread. */
final class CurrentFile {
    /** How long an append may rely on the last check of the name. */
    private static final long CHECK_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Path directory;
    private final RollClock clock;
    private final FileAllocation allocation;
    private final long rollBytes;
    private final long rollAgeNs;

    private @Nullable Path path;
    private long pathCycle;
    private volatile @Nullable FileIdentity identity;
    private long checkedNs;
    private boolean begun;
    private boolean isNew;
    private boolean endIsMarked;
    private long batchBytes;
    private long end;
    private long beganNs;
    /** True if all of the file was written in this run, so that its times are known. */
    private boolean isWhole;

    private long minTimeNs;
    private long maxTimeNs;

    /** Creates the state for a shard without a file. */
    CurrentFile(Path directory, WriterSettings settings, RollClock clock, FileAllocation allocation) {
        this.directory = directory;
        this.clock = clock;
        this.allocation = allocation;
        this.rollBytes = settings.rollBytes();
        this.rollAgeNs =
                settings.rollAge() == null ? Long.MAX_VALUE : settings.rollAge().toNanos();
    }

    /**
     * Continues with a file of an earlier run.
     *
     * @param used the end of its data, not counting zeros at the end of a batch
     * @param slabBytes the maximum bytes of a batch
     */
    void continueWith(Path last, long used, int slabBytes, long journalId) throws IOException {
        FileTimes.clean(last);
        identity = FileIdentity.of(last);
        begun = true;
        isNew = true;
        batchBytes = used;
        end = used + slabBytes;
        FirstBatch first = FirstBatch.find(last, journalId);
        beganNs = first == null ? Long.MAX_VALUE : first.minTimeNs();
    }

    /**
     * Allocates the disk blocks for an append, in this file or in a new one.
     *
     * @throws IOException if the disk is full, or the file has lost its name; nothing has changed then
     */
    void makeReady(FrameWriter batch) throws IOException {
        makeReady(batch.length(), batch.minTimeNs());
    }

    void makeReady(int length, long firstTimeNs) throws IOException {
        boolean ends = begun && (endIsMarked || (batchBytes > 0 && isDone(length, firstTimeNs)));
        check(ends);
        if (!begun) {
            allocation.begin(ChronicleFiles.file(directory, clock.cycle()));
            begun = true;
            isNew = true;
            isWhole = true;
        } else if (ends) {
            allocation.begin(ChronicleFiles.file(directory, clock.cycle() + 1));
            if (isWhole) {
                FileTimes.add(path(), minTimeNs, maxTimeNs);
            }
            isWhole = true;
            clock.advance();
            batchBytes = 0;
            end = 0;
            isNew = true;
            endIsMarked = false;
        }
        long until = end + length + FileAllocation.SLACK_BYTES;
        if (!allocation.covers(until)) {
            allocation.extend(until);
        }
    }

    /**
     * Checks that the file still has its name: what is in it would be lost with this process otherwise. One system call, which
     * allocates nothing between two files.
     *
     * @throws IOException if it has not
     */
    private void check(boolean ends) throws IOException {
        FileIdentity known = identity;
        long nowNs = System.nanoTime();
        if (known == null || (!ends && nowNs - checkedNs < CHECK_NS)) {
            return;
        }
        String found = ends || !known.hasName() ? known.problem() : null;
        if (found != null) {
            throw new IOException(found);
        }
        checkedNs = nowNs;
    }

    /** What has happened to the file's name; null if nothing has. Any thread. */
    @Nullable
    String problem() {
        FileIdentity known = identity;
        return known == null ? null : known.problem();
    }

    private boolean isDone(int length, long firstTimeNs) {
        // If the clock was set back, the difference is negative, and the file does not roll by age.
        return batchBytes + length > rollBytes || firstTimeNs - beganNs > rollAgeNs;
    }

    /**
     * Records an append.
     *
     * @param position the position of the next append
     * @return true if it was the first append of this run to this file
     */
    boolean appended(FrameWriter batch, long position) {
        return appended(batch.length(), batch.minTimeNs(), batch.maxTimeNs(), position);
    }

    boolean appended(int length, long firstTimeNs, long lastTimeNs, long position) {
        end = position;
        boolean begins = batchBytes == 0;
        beganNs = begins ? firstTimeNs : beganNs;
        minTimeNs = begins ? firstTimeNs : Math.min(minTimeNs, firstTimeNs);
        maxTimeNs = begins ? lastTimeNs : Math.max(maxTimeNs, lastTimeNs);
        batchBytes += length;
        boolean nextSoon = batchBytes > rollBytes / 2 || firstTimeNs - beganNs > rollAgeNs / 2;
        allocation.appended(end, nextSoon);
        boolean first = isNew;
        isNew = false;
        if (first) {
            identity = FileIdentity.ofWritten(path());
        }
        return first;
    }

    /**
     * Records that the file already has Chronicle's end mark. A process that crashed had written it, but had not
     * created the next file. The next append creates it.
     */
    void endIsMarked() {
        endIsMarked = true;
    }

    /** True if nothing was appended to it in this run. */
    boolean isNew() {
        return isNew;
    }

    /** The maximum position of the next append. */
    long end() {
        return end;
    }

    /** The path of the file; the same object for the same file. */
    Path path() {
        Path known = path;
        long cycle = clock.cycle();
        if (known == null || cycle != pathCycle) {
            known = ChronicleFiles.file(directory, cycle);
            path = known;
            pathCycle = cycle;
        }
        return known;
    }
}
