package io.millrace.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a repaired journal takes the place of the damaged one, so that a kill at any moment leaves one of both.
 *
 * <pre>
 * journal.repair    is being written; worth nothing until it is renamed
 * journal.repaired  is complete and on disk
 * journal           1. renamed to journal.before-repair-TIME   2. journal.repaired takes its name
 * </pre>
 *
 * <p>A kill between 1 and 2 leaves no {@code journal}, but a complete {@code journal.repaired}: whoever takes the data
 * directory next, the service or another repair, does 2 first.
 */
public final class JournalSwap {
    private static final Logger LOG = LoggerFactory.getLogger(JournalSwap.class);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private JournalSwap() {}

    /** Where the new journal is written. */
    public static Path unfinished(Path root) {
        return root.resolve("journal.repair");
    }

    private static Path finished(Path root) {
        return root.resolve("journal.repaired");
    }

    /** Finishes a switch that was interrupted. The caller holds the data directory. */
    static void finish(Path root) throws IOException {
        Path journal = JournalPaths.journalPath(root);
        if (Files.exists(finished(root)) && Files.notExists(journal)) {
            takePlace(root);
            LOG.warn("A repair of {} was interrupted at its end: it is finished now", root);
        } else if (Files.exists(finished(root))) {
            // Interrupted before the journal was put aside: it goes on, and what was made of it is old from now on.
            delete(finished(root));
            LOG.warn("A repair of {} was interrupted before it took effect: the journal is as it was", root);
        }
        if (Files.exists(unfinished(root)) && Files.exists(journal)) {
            // It may hold second names of files of the journal, which would free nothing when they are deleted.
            delete(unfinished(root));
            LOG.warn("A repair of {} was interrupted before it was finished: the journal is as it was", root);
        }
    }

    /** Removes what a repair left behind that was interrupted before it was finished. */
    public static void clean(Path root) throws IOException {
        delete(unfinished(root));
        delete(finished(root));
    }

    /** Says that the new journal is complete and on disk. */
    public static void complete(Path root) throws IOException {
        rename(unfinished(root), finished(root));
    }

    /** Puts the journal there is aside; returns where it is then. */
    public static Path putAside(Path root, Instant now) throws IOException {
        String name = "journal.before-repair-" + TIME.format(now);
        Path aside = root.resolve(name);
        for (int i = 2; Files.exists(aside); i++) {
            aside = root.resolve(name + "-" + i);
        }
        rename(JournalPaths.journalPath(root), aside);
        return aside;
    }

    /** Gives the new journal the name of the one that was put aside. */
    public static void takePlace(Path root) throws IOException {
        rename(finished(root), JournalPaths.journalPath(root));
    }

    private static void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        JournalPaths.sync(to.resolveSibling(""));
    }

    private static void delete(Path directory) throws IOException {
        if (Files.notExists(directory)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> files = Files.walk(directory)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}
