package io.millrace.internal.journal.file;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receive times in the files of a shard, so that a reader of a time range need not read the other files. The file {@code times}
 * in the shard's directory has a line for each complete file: its name, its length, and the earliest and the latest receive time in
 * ns since the epoch. A file without a line, or of another length, may have any time: nothing but speed depends on the lines.
 */
public final class FileTimes {
    private static final Logger LOG = LoggerFactory.getLogger(FileTimes.class);
    private static final String NAME = "times";
    private static final int WORDS = 4;

    private final Map<String, Range> ranges = new HashMap<>();

    private record Range(long length, long minNs, long maxNs) {}

    private FileTimes() {}

    /** Reads the times of a shard; those that cannot be read are unknown. */
    public static FileTimes read(Path shard) {
        FileTimes times = new FileTimes();
        try {
            String text = Disk.of(shard).readString(shard.resolve(NAME), StandardCharsets.ISO_8859_1);
            // A line without its end may be incomplete.
            text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(times::take);
        } catch (NoSuchFileException e) {
            return times;
        } catch (IOException e) {
            LOG.warn(
                    "The times of journal files cannot be read, so searches by time read all of them: {}",
                    e.toString());
        }
        return times;
    }

    private void take(String line) {
        String[] words = line.split(" ", -1);
        try {
            // After a loss of power, there may be zeros instead of what was written.
            boolean isName = words[0].endsWith(JournalPaths.SUFFIX) && words[0].indexOf('\0') < 0;
            if (words.length == WORDS && isName) {
                ranges.put(
                        words[0],
                        new Range(Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])));
            }
        } catch (NumberFormatException e) {
            // An incomplete line, followed by another.
        }
    }

    /** True if it is known that a file has no datagram of a time range, whose end is exclusive. */
    public boolean isOutside(Path file, long fromNs, long toNs) {
        Range range = ranges.get(String.valueOf(file.getFileName()));
        return range != null && (range.maxNs < fromNs || range.minNs >= toNs) && length(file) == range.length;
    }

    private static long length(Path file) {
        try {
            return Disk.of(file).size(file);
        } catch (IOException e) {
            return -1;
        }
    }

    /** Adds the line of a complete file. */
    public static void add(Path file, long minNs, long maxNs) {
        Path times = file.resolveSibling(NAME);
        try {
            if (Disk.of(times).notExists(times)) {
                Disk.of(times).create(times, PrivateFiles.FILE);
            }
            Disk.of(times)
                    .append(
                            times,
                            line(
                                    String.valueOf(file.getFileName()),
                                    new Range(Disk.of(file).size(file), minNs, maxNs)),
                            StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            LOG.warn("The times of {} are not recorded, so searches by time read all of it: {}", file, e.toString());
        }
    }

    /**
     * Removes the lines of deleted files, and of those that are not complete any more: the one that a writer continues with, and later
     * ones.
     *
     * @param last the newest file
     */
    public static void clean(Path last) {
        Path times = last.resolveSibling(NAME);
        if (Disk.of(times).notExists(times)) {
            return;
        }
        String kept = read(last.resolveSibling("")).ranges.entrySet().stream()
                .filter(each -> each.getKey().compareTo(String.valueOf(last.getFileName())) < 0)
                .filter(each -> Disk.of(last).exists(last.resolveSibling(each.getKey())))
                .sorted(Map.Entry.comparingByKey())
                .map(each -> line(each.getKey(), each.getValue()))
                .collect(Collectors.joining());
        Path next = times.resolveSibling(NAME + ".new");
        try {
            Disk.of(next).deleteIfExists(next);
            Disk.of(next).create(next, PrivateFiles.FILE);
            Disk.of(next).writeString(next, kept, StandardCharsets.ISO_8859_1);
            Disk.of(next).rename(next, times);
        } catch (IOException e) {
            LOG.warn("{} cannot be cleaned: {}", times, e.toString());
        }
    }

    private static String line(String name, Range range) {
        return name + " " + range.length + " " + range.minNs + " " + range.maxNs + "\n";
    }
}
