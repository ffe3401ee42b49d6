package io.millrace.app.command.journal;

import io.millrace.internal.journal.recovery.JournalGap;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.journal.recovery.JournalSummary;
import io.millrace.internal.text.ByteSize;
import io.millrace.journal.GapReason;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Formatter of problems, gaps and counts of a journal. */
final class JournalText {
    private JournalText() {}

    static void problems(Path data, List<JournalScanner.Problem> problems) {
        for (JournalScanner.Problem problem : problems) {
            System.out.printf("%s at byte %d: %s%n", name(data, problem.file()), problem.offset(), problem.what());
        }
    }

    /** Prints a line per gap: what is missing, its receive times, and its place in the files. */
    static void gaps(Path data, JournalSummary summary) {
        for (JournalGap gap : summary.gaps()) {
            GapReason reason = gap.reason();
            System.out.printf(
                    Locale.ROOT,
                    "shard %d: %,d datagrams %s: %d to %d%s, %s byte %d of %s%n",
                    gap.shard(),
                    gap.count(),
                    reason == null ? "missing" : reason.words(),
                    gap.firstSequence(),
                    gap.nextSequence() - 1,
                    between(gap),
                    gap.afterNs() == 0 ? "behind" : "before",
                    gap.offset(),
                    name(data, gap.file()));
        }
    }

    private static String between(JournalGap gap) {
        if (gap.beforeNs() != 0 && gap.afterNs() != 0) {
            return ", received between " + time(gap.beforeNs()) + " and " + time(gap.afterNs());
        }
        if (gap.beforeNs() != 0) {
            return ", received after " + time(gap.beforeNs());
        }
        return gap.afterNs() == 0 ? "" : ", received before " + time(gap.afterNs());
    }

    static String counts(JournalSummary summary) {
        return String.format(
                Locale.ROOT,
                "%,d datagrams in %,d batches, %s",
                summary.datagrams(),
                summary.batches(),
                ByteSize.text(summary.bytesOnDisk()));
    }

    private static Path name(Path data, Path file) {
        return file.startsWith(data) ? data.relativize(file) : file;
    }

    private static Instant time(long epochNs) {
        return Instant.ofEpochMilli(epochNs / 1_000_000);
    }
}
