package io.millrace.sources;

import io.millrace.agent.FailureLog;
import io.millrace.journal.PrivateFiles;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The established sources in a file, so that a restart does not forget which sources to expect. A line has the address, when it
 * was last heard, its longest silence in milliseconds, and {@code silent} if it is. A line that cannot be read is left out,
 * with a warning. A failure to write is logged and tried again later. One thread.
 */
final class SavedSources {
    private static final Logger LOG = LoggerFactory.getLogger(SavedSources.class);
    private static final String SILENT = "silent";
    private static final int WORDS = 3;

    private final FailureLog failures = new FailureLog(LOG);
    private final Path file;

    SavedSources(Path file) {
        this.file = file;
    }

    /**
     * Adds the sources of the file to a table.
     *
     * @param nowNs the current time; what was heard later was heard now
     */
    void restore(KnownSources known, long nowNs) {
        try {
            int number = 0;
            int unread = 0;
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                number++;
                if (!add(line, known, nowNs) && unread++ == 0) {
                    LOG.warn(
                            "{} line {} is left out: expected ADDRESS TIME MILLISECONDS [silent]: {}",
                            file,
                            number,
                            line);
                }
            }
            if (unread > 1) {
                LOG.warn("{}: {} lines were left out", file, unread);
            }
        } catch (NoSuchFileException e) {
            // The first start.
        } catch (IOException e) {
            LOG.warn("The known sources cannot be read from {} and are learned again: {}", file, e.toString());
        }
    }

    private static boolean add(String line, KnownSources known, long nowNs) {
        String[] words = line.split(" ", -1);
        boolean silent = words.length == WORDS + 1 && words[WORDS].equals(SILENT);
        if (words.length != WORDS && !silent) {
            return false;
        }
        try {
            SourceAddress address = SourceAddress.parse(words[0]);
            long lastNs = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.parse(words[1]));
            long usualMs = Long.parseUnsignedLong(words[2]);
            known.restore(address, Math.min(lastNs, nowNs), TimeUnit.MILLISECONDS.toNanos(usualMs), silent, nowNs);
            return true;
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            return false;
        }
    }

    /** Replaces the file by the established sources of a table. */
    void write(KnownSources known) {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.deleteIfExists(next);
            Files.createFile(next, PrivateFiles.FILE);
            try (BufferedWriter out = Files.newBufferedWriter(next, StandardCharsets.ISO_8859_1)) {
                for (KnownSource source = known.oldestEstablished(); source != null; source = source.newer) {
                    out.write(line(source));
                }
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            failures.report("The known sources cannot be written to {}: {}", file, e.toString());
        }
    }

    private static String line(KnownSource source) {
        return source.address() + " " + Instant.EPOCH.plusNanos(source.lastNs()) + " "
                + TimeUnit.NANOSECONDS.toMillis(source.usualSilenceNs()) + (source.silent ? " " + SILENT : "") + "\n";
    }
}
