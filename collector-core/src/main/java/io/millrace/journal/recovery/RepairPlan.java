package io.millrace.journal.recovery;

import io.millrace.journal.file.ChronicleFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the files of a shard in a repair: one in which nothing is wrong stays as it is; of the others the whole
 * batches are rewritten, with a gap batch where something is missing between them.
 *
 * @param steps the files of the new journal, oldest first
 * @param begin the first sequence number the shard speaks of
 */
record RepairPlan(List<Step> steps, long begin) {
    /**
     * A file of the new journal.
     *
     * @param cycle its cycle
     * @param source the old file; null if there is none: then it holds a gap batch alone
     * @param stays true if the old file can stay as it is
     * @param endsAt the number with which the next file begins
     */
    record Step(long cycle, @Nullable FileReport source, boolean stays, long endsAt) {}

    /** Makes the plan from what a scan found. */
    static RepairPlan of(ShardScan scan, boolean anyStays) throws IOException {
        List<FileReport> files = scan.files();
        List<Step> steps = new ArrayList<>();
        long begin = begin(scan);
        long expected = begin;
        for (int i = 0; i < files.size(); i++) {
            FileReport file = files.get(i);
            long cycle = ChronicleFiles.cycleOf(file.file());
            if (cycle < 0) {
                throw new IOException(file.file() + " has a name that no file of a journal has: move it away");
            }
            boolean isLast = i == files.size() - 1;
            long next = nextStart(files, i, scan);
            boolean isEmpty = file.batches() == 0;
            // Readers go on to the next file where this one's end is marked, and the last one's is not.
            // The last one is appended to later, and what is put aside must not change with it.
            boolean stays = anyStays && !isLast && file.whole() && !isEmpty && file.firstSequence() == expected;
            if (stays) {
                expected = file.nextSequence();
                steps.add(new Step(cycle, file, true, expected));
                if (next > expected && ChronicleFiles.cycleOf(files.get(i + 1).file()) > cycle + 1) {
                    steps.add(new Step(cycle + 1, null, false, next));
                    expected = next;
                }
            } else if (!isEmpty || next > expected) {
                steps.add(new Step(cycle, file, false, next));
                expected = next;
            }
        }
        if (files.isEmpty() && scan.nextSequence() > expected) {
            steps.add(new Step(ChronicleFiles.FIRST_CYCLE, null, false, scan.nextSequence()));
        }
        return new RepairPlan(steps, begin);
    }

    private static long begin(ShardScan scan) {
        long first = scan.files().stream()
                .filter(file -> file.batches() > 0)
                .mapToLong(FileReport::firstSequence)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        long gap = scan.gaps().isEmpty() ? Long.MAX_VALUE : scan.gaps().get(0).firstSequence();
        return first == Long.MAX_VALUE && gap == Long.MAX_VALUE ? 0 : Math.min(first, gap);
    }

    private static long nextStart(List<FileReport> files, int index, ShardScan scan) {
        return files.stream()
                .skip(index + 1L)
                .filter(file -> file.batches() > 0)
                .mapToLong(FileReport::firstSequence)
                .findFirst()
                .orElse(scan.nextSequence());
    }

    /** True if something is to be written. */
    boolean changes() {
        return steps.stream().anyMatch(step -> !step.stays());
    }

    /** How many files are to be written. */
    long filesToWrite() {
        return steps.stream().filter(step -> !step.stays()).count();
    }

    /** Bytes of what is to be written, about. */
    long bytesToWrite() {
        return steps.stream()
                .filter(step -> !step.stays())
                .mapToLong(RepairPlan::bytes)
                .sum();
    }

    private static long bytes(Step step) {
        return step.source() == null ? 0 : step.source().usedBytes();
    }
}
