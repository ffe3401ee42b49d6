package io.millrace.internal.journal;

import io.millrace.internal.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The atomic replacement of a damaged journal by a repaired one. A kill at any moment leaves one of the two.
 *
 * <pre>
 * journal.repair    is being written; incomplete until it is renamed
 * journal.repaired  is complete and on disk
 * journal           1. renamed to journal.before-repair-TIME   2. journal.repaired is renamed to journal
 * </pre>
 *
 * <p>A kill between 1 and 2 leaves no {@code journal}, but a complete {@code journal.repaired}. The next process that
 * locks the data directory does step 2 first.
 */
public final class JournalSwap {
    private static final Logger LOG = LoggerFactory.getLogger(JournalSwap.class);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private JournalSwap() {}

    /** The path where the new journal is written. */
    public static Path unfinished(Path root) {
        return root.resolve("journal.repair");
    }

    private static Path finished(Path root) {
        return root.resolve("journal.repaired");
    }

    /** Finishes or undoes an interrupted replacement. The caller holds the data directory. */
    static void finish(Path root) throws IOException {
        Path journal = JournalPaths.journalPath(root);
        Disk disk = Disk.of(root);
        if (disk.exists(finished(root)) && disk.notExists(journal)) {
            takePlace(root);
            LOG.warn("A repair of {} was interrupted in its last step, which is done now", root);
        } else if (disk.exists(finished(root))) {
            // Interrupted before the old journal was renamed: it stays in use, so the repaired copy becomes out of
            // date.
            delete(finished(root));
            LOG.warn("A repair of {} was interrupted before it took effect: the journal is unchanged", root);
        }
        if (disk.exists(unfinished(root)) && disk.exists(journal)) {
            // It may contain hard links to files of the journal, whose space retention could not free.
            delete(unfinished(root));
            LOG.warn("A repair of {} was interrupted before it was finished: the journal is unchanged", root);
        }
    }

    /** Deletes the files of an interrupted repair. */
    public static void clean(Path root) throws IOException {
        delete(unfinished(root));
        delete(finished(root));
    }

    /** Marks the new journal as complete; it must be on disk. */
    public static void complete(Path root) throws IOException {
        rename(unfinished(root), finished(root));
    }

    /** Renames the old journal; returns its new path. */
    public static Path putAside(Path root, Instant now) throws IOException {
        String name = "journal.before-repair-" + TIME.format(now);
        Path aside = root.resolve(name);
        for (int i = 2; Disk.of(aside).exists(aside); i++) {
            aside = root.resolve(name + "-" + i);
        }
        rename(JournalPaths.journalPath(root), aside);
        return aside;
    }

    /** Renames the new journal to {@code journal}. */
    public static void takePlace(Path root) throws IOException {
        rename(finished(root), JournalPaths.journalPath(root));
    }

    private static void rename(Path from, Path to) throws IOException {
        Disk.of(from).rename(from, to);
        JournalPaths.sync(to.resolveSibling(""));
    }

    private static void delete(Path directory) throws IOException {
        if (Disk.of(directory).notExists(directory)) {
            return;
        }
        for (Path each : Disk.of(directory).walk(directory).stream()
                .sorted(Comparator.reverseOrder())
                .toList()) {
            Disk.of(each).delete(each);
        }
    }
}
