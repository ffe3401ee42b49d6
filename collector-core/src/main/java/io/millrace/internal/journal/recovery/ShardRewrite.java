package io.millrace.internal.journal.recovery;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.PrivateFiles;
import io.millrace.internal.journal.file.BatchAppender;
import io.millrace.internal.journal.file.ChronicleFiles;
import io.millrace.internal.record.BatchView;
import io.millrace.internal.record.GapBatch;
import io.millrace.journal.GapReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Writes the new files of one shard according to a {@link RepairPlan}, in a new directory. One thread. */
final class ShardRewrite {
    private final RepairPlan plan;
    private final Path shard;
    private final int number;
    private final long journalId;
    private final int largestBatch;
    private final GapReason reason;
    private @Nullable BatchAppender appender;
    private int current;
    private long expected;
    private long lastTimeNs;

    /**
     * Creates the rewrite of a shard.
     *
     * @param shard the new directory, which does not exist yet
     * @param reason of the gaps that it marks
     */
    ShardRewrite(RepairPlan plan, Path shard, int number, long journalId, int largestBatch, GapReason reason) {
        this.plan = plan;
        this.shard = shard;
        this.number = number;
        this.journalId = journalId;
        this.largestBatch = largestBatch;
        this.reason = reason;
        this.expected = plan.begin();
    }

    /**
     * Writes the new files, then links the unchanged ones.
     *
     * @param scan a new scan of the old files, with {@link #visitor()}
     */
    void run(ShardScan scan, LongConsumer progress) throws IOException {
        Disk.of(shard).createDirectories(shard, PrivateFiles.DIRECTORY);
        try {
            for (int i = 0; i < plan.steps().size(); i++) {
                FileReport source = plan.steps().get(i).source();
                if (source != null && plan.steps().get(i).stays()) {
                    scan.pass(source);
                    goTo(i);
                    expected = source.nextSequence();
                    lastTimeNs = source.lastTimeNs();
                } else if (source != null) {
                    scan.scan(source.file(), i == plan.steps().size() - 1);
                    progress.accept(source.usedBytes());
                }
            }
            goTo(plan.steps().size());
        } finally {
            close();
        }
        link();
    }

    /** The visitor that writes the batches of a scan. */
    ShardScan.Visitor visitor() {
        return (file, batch) -> {
            for (int i = current; i < plan.steps().size(); i++) {
                FileReport source = plan.steps().get(i).source();
                if (source != null && source.file().equals(file)) {
                    goTo(i);
                }
            }
            write(batch);
        };
    }

    private void write(BatchView batch) throws IOException {
        long start = batch.startSequence();
        if (start > expected) {
            gap(start, batch.minTimeNs());
        }
        appender().append(batch);
        expected = batch.nextSequence();
        lastTimeNs = batch.maxTimeNs();
    }

    private void gap(long next, long afterNs) throws IOException {
        ByteBuffer gap = GapBatch.of(
                number, journalId, expected, next - expected, reason, lastTimeNs, afterNs == 0 ? lastTimeNs : afterNs);
        appender().append(gap, gap.capacity());
        expected = next;
    }

    /** Completes the files before this step. */
    private void goTo(int step) throws IOException {
        while (current < step) {
            RepairPlan.Step done = plan.steps().get(current);
            if (!done.stays() && done.endsAt() > expected) {
                gap(done.endsAt(), 0);
            }
            current++;
        }
    }

    private BatchAppender appender() throws IOException {
        long cycle = plan.steps().get(current).cycle();
        BatchAppender open = appender;
        if (open == null) {
            open = new BatchAppender(shard, cycle, largestBatch);
            appender = open;
        }
        open.toCycle(cycle);
        return open;
    }

    private void close() throws IOException {
        BatchAppender open = appender;
        appender = null;
        if (open != null) {
            open.close();
        }
    }

    private void link() throws IOException {
        if (plan.steps().isEmpty()) {
            return;
        }
        RepairPlan.Step last = plan.steps().get(plan.steps().size() - 1);
        for (RepairPlan.Step step : plan.steps()) {
            FileReport source = step.source();
            Path file = shard.resolve(ChronicleFiles.nameOf(step.cycle()));
            if (step.stays() && source != null) {
                Disk.of(file).link(file, source.file());
            } else if (!step.equals(last)) {
                ChronicleFiles.markEnd(file);
            }
        }
        ChronicleFiles.list(shard, last.cycle());
        for (Path file : JournalPaths.files(shard)) {
            JournalPaths.sync(file);
        }
        JournalPaths.sync(shard.resolve(ChronicleFiles.METADATA));
        JournalPaths.sync(shard);
    }
}
