package io.millrace.journal.write;

import io.millrace.journal.WriterSettings;
import io.millrace.journal.file.ChronicleFiles;
import io.millrace.journal.file.FileAllocation;
import io.millrace.journal.file.FirstBatch;
import io.millrace.journal.file.RollClock;
import io.millrace.record.BatchWriter;
import java.io.IOException;
import java.nio.file.Path;

/** The file that a shard's batches are appended to: when it ends, and that it has blocks for the next. One thread. */
final class CurrentFile {
    private final Path directory;
    private final RollClock clock;
    private final FileAllocation allocation;
    private final long rollBytes;
    private final long rollAgeNs;

    private boolean begun;
    private boolean isNew;
    private boolean endIsMarked;
    private long batchBytes;
    private long end;
    private long beganNs;

    /** Of a shard; there is none yet. */
    CurrentFile(Path directory, WriterSettings settings, RollClock clock, FileAllocation allocation) {
        this.directory = directory;
        this.clock = clock;
        this.allocation = allocation;
        this.rollBytes = settings.rollBytes();
        this.rollAgeNs =
                settings.rollAge() == null ? Long.MAX_VALUE : settings.rollAge().toNanos();
    }

    /**
     * Goes on with a file of an earlier run.
     *
     * @param used the end of what is in it, but for zeros that a batch may end in
     * @param slabBytes the most bytes of a batch
     */
    void goOn(Path last, long used, int slabBytes, long journalId) throws IOException {
        begun = true;
        isNew = true;
        batchBytes = used;
        end = used + slabBytes;
        FirstBatch first = FirstBatch.find(last, journalId);
        beganNs = first == null ? Long.MAX_VALUE : first.minTimeNs();
    }

    /**
     * Sees to it that an append meets blocks of the disk wherever it stores, in this file or in a new one.
     *
     * @throws IOException if there is no room; nothing has changed then
     */
    void makeReady(BatchWriter batch) throws IOException {
        int length = batch.length();
        if (!begun) {
            allocation.begin(ChronicleFiles.file(directory, clock.cycle()));
            begun = true;
            isNew = true;
        } else if (endIsMarked || (batchBytes > 0 && isDone(batch, length))) {
            allocation.begin(ChronicleFiles.file(directory, clock.cycle() + 1));
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

    private boolean isDone(BatchWriter batch, int length) {
        // A clock that was set back makes no age; the difference may overflow then, and is below zero.
        return batchBytes + length > rollBytes || batch.minTimeNs() - beganNs > rollAgeNs;
    }

    /**
     * Takes note of an append.
     *
     * @param position where the next begins
     * @return true if it was the first of this run to this file
     */
    boolean appended(BatchWriter batch, long position) {
        end = position;
        beganNs = batchBytes == 0 ? batch.minTimeNs() : beganNs;
        batchBytes += batch.length();
        boolean nextSoon = batchBytes > rollBytes / 2 || batch.minTimeNs() - beganNs > rollAgeNs / 2;
        allocation.appended(end, nextSoon);
        boolean first = isNew;
        isNew = false;
        return first;
    }

    /**
     * Takes note that Chronicle has marked the file's end: a process that died had begun the next, of which nothing is there. The next
     * append begins a new file.
     */
    void endIsMarked() {
        endIsMarked = true;
    }

    /** Where the next append begins at the latest. */
    long end() {
        return end;
    }

    /** Its path. */
    Path path() {
        return ChronicleFiles.file(directory, clock.cycle());
    }
}
