package io.millrace.internal.sources;

import io.millrace.collector.SourceAddress;
import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The established sources in a file, so that a restart does not forget which sources to expect. A line has the address, when it
 * was last heard, its longest silence in milliseconds, {@code silent} if it is, and {@code host=NAME} if its messages have one. A line that cannot be read is left out,
 * with a warning. A failure to write is logged and tried again later. One thread.
 */
final class SavedSources {
    private static final Logger LOG = LoggerFactory.getLogger(SavedSources.class);
    private static final String SILENT = "silent";
    private static final String HOST = "host=";
    private static final Pattern PLAIN = Pattern.compile("[!-~]+");
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
            List<String> lines = Disk.of(file).readAllLines(file, StandardCharsets.ISO_8859_1);
            if (lines.isEmpty()) {
                LOG.warn("{} is empty: the known sources are learned again", file);
            }
            for (String line : lines) {
                number++;
                if (!add(line, known, nowNs) && unread++ == 0) {
                    LOG.warn(
                            "{} line {} is left out: expected ADDRESS TIME MILLISECONDS [silent] [host=NAME]: {}",
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
        boolean silent = words.length > WORDS && words[WORDS].equals(SILENT);
        int next = silent ? WORDS + 1 : WORDS;
        boolean hasHost = words.length > next && words[next].startsWith(HOST);
        if (words.length != (hasHost ? next + 1 : next)) {
            return false;
        }
        try {
            SourceAddress address = SourceAddress.parse(words[0]);
            long lastNs = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.parse(words[1]));
            long usualMs = Long.parseUnsignedLong(words[2]);
            String host = hasHost ? words[next].substring(HOST.length()) : null;
            known.restore(
                    address, Math.min(lastNs, nowNs), TimeUnit.MILLISECONDS.toNanos(usualMs), silent, host, nowNs);
            return true;
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            return false;
        }
    }

    /** The established sources of a table as lines. */
    static String text(KnownSources known) {
        StringBuilder text = new StringBuilder();
        for (KnownSource source = known.oldestEstablished(); source != null; source = source.newer) {
            text.append(line(source));
        }
        return text.toString();
    }

    /** Replaces the file; without a line there is none. */
    void write(String text) {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        try {
            if (text.isEmpty()) {
                Disk.of(file).deleteIfExists(file);
                return;
            }
            Disk.of(next).deleteIfExists(next);
            Disk.of(next).create(next, PrivateFiles.FILE);
            Disk.of(next).writeString(next, text, StandardCharsets.ISO_8859_1);
            JournalPaths.sync(next);
            Disk.of(next).rename(next, file);
        } catch (IOException e) {
            failures.report("The known sources cannot be written to {}: {}", file, e.toString());
        }
    }

    private static String line(KnownSource source) {
        return source.address() + " " + Instant.EPOCH.plusNanos(source.lastNs()) + " "
                + TimeUnit.NANOSECONDS.toMillis(source.usualSilenceNs()) + (source.silent ? " " + SILENT : "")
                + (source.host != null && PLAIN.matcher(source.host).matches() ? " " + HOST + source.host : "") + "\n";
    }
}
