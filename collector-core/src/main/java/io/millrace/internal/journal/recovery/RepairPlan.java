package io.millrace.internal.journal.recovery;

import io.millrace.internal.journal.file.ChronicleFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a repair for one shard. Intact files stay unchanged. Damaged files are rewritten with their intact
 * batches, and with a gap batch for each gap.
 *
 * @param steps the files of the new journal, oldest first
 * @param begin the first sequence number of the shard, including gaps
 */
record RepairPlan(List<Step> steps, long begin) {
    /**
     * A file of the new journal.
     *
     * @param cycle the cycle of the file
     * @param source the old file; null for a file that only holds a gap batch
     * @param stays true if the old file stays unchanged
     * @param endsAt the first sequence number of the next file
     */
    record Step(long cycle, @Nullable FileReport source, boolean stays, long endsAt) {}

    static RepairPlan of(ShardScan scan, boolean anyStays) throws IOException {
        List<FileReport> files = scan.files();
        List<Step> steps = new ArrayList<>();
        long begin = begin(scan);
        long expected = begin;
        for (int i = 0; i < files.size(); i++) {
            FileReport file = files.get(i);
            long cycle = ChronicleFiles.cycleOf(file.file());
            if (cycle < 0) {
                throw new IOException(file.file() + " does not have the name of a journal file: move it away");
            }
            boolean isLast = i == files.size() - 1;
            long next = nextStart(files, i, scan);
            boolean isEmpty = file.batches() == 0;
            // The last file must be copied: it has no end mark, and it is appended to later, which must not change the
            // old journal.
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

    /** True if a file must be written. */
    boolean changes() {
        return steps.stream().anyMatch(step -> !step.stays());
    }

    long filesToWrite() {
        return steps.stream().filter(step -> !step.stays()).count();
    }

    /** The approximate bytes to write. */
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
