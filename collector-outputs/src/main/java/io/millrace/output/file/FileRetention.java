package io.millrace.output.file;

import io.millrace.setting.SettingTypes;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes old rotated files of one output. It knows them by the name of the file that was rotated, which the output had open, and by their
 * own name ({@link RotatedName}); all other files stay. Any thread; the work is done by the executor, which compresses files too, so that
 * no file is deleted while it is compressed.
 */
final class FileRetention {
    private static final Logger LOG = LoggerFactory.getLogger(FileRetention.class);

    private final Keep keep;
    private final Executor executor;
    private final Clock clock;
    private final LongAdder deleted = new LongAdder();
    private final Map<Path, Set<String>> pending = new HashMap<>();

    /**
     * Which rotated files of a path are kept.
     *
     * @param files the newest so many
     * @param age of these, those that were rotated less long ago
     */
    record Keep(int files, Duration age) {
        static final Keep ALL = new Keep(Integer.MAX_VALUE, Duration.ofDays(36_500));

        static Keep parse(String text) {
            return text.matches("[1-9]\\d{0,6}")
                    ? new Keep(Integer.parseInt(text), ALL.age)
                    : new Keep(ALL.files, age(text));
        }

        private static Duration age(String text) {
            Duration age;
            try {
                age = SettingTypes.DURATION.parse(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "takes a number of files such as 100, or a time such as 30d, not '" + text + "'", e);
            }
            if (age.isZero() || age.isNegative()) {
                throw new IllegalArgumentException("takes a time above 0, not '" + text + "'");
            }
            return age;
        }
    }

    FileRetention(Keep keep, Executor executor, Clock clock) {
        this.keep = keep;
        this.executor = executor;
        this.clock = clock;
    }

    long deleted() {
        return deleted.sum();
    }

    /** Deletes old rotated files of a file that this output owns, in the background. */
    void expire(Path file) {
        Path directory = file.toAbsolutePath().normalize().getParent();
        if (keep.equals(Keep.ALL) || directory == null) {
            return;
        }
        boolean isNew;
        synchronized (pending) {
            Set<String> files = pending.get(directory);
            isNew = files == null;
            if (files == null) {
                files = new HashSet<>();
                pending.put(directory, files);
            }
            files.add(String.valueOf(file.getFileName()));
        }
        if (isNew) {
            // One listing for all files that are rotated until then.
            executor.execute(() -> expire(directory, take(directory)));
        }
    }

    private Set<String> take(Path directory) {
        synchronized (pending) {
            Set<String> files = pending.remove(directory);
            return files == null ? Set.of() : files;
        }
    }

    private void expire(Path directory, Set<String> bases) {
        Map<String, NavigableMap<RotatedName, List<Path>>> found = new HashMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*@*")) {
            for (Path file : files) {
                RotatedName name = name(file, bases);
                if (name != null && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    found.computeIfAbsent(name.base(), base -> new TreeMap<>())
                            .computeIfAbsent(name, each -> new ArrayList<>())
                            .add(file);
                }
            }
            Instant oldest = clock.instant().minus(keep.age());
            for (NavigableMap<RotatedName, List<Path>> each : found.values()) {
                while (!each.isEmpty()
                        && (each.size() > keep.files() || each.firstKey().time().isBefore(oldest))) {
                    delete(each.pollFirstEntry().getValue());
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("Old rotated files in {} cannot be deleted: {}", directory, e.toString());
        }
    }

    /** The rotated file of one of some files; null if it is none, or may be that of another file in the directory. */
    private static @Nullable RotatedName name(Path file, Set<String> bases) {
        RotatedName found = null;
        for (RotatedName each : RotatedName.parse(String.valueOf(file.getFileName()))) {
            if (bases.contains(each.base()) && found == null) {
                found = each;
            } else if (Files.exists(file.resolveSibling(each.base()), LinkOption.NOFOLLOW_LINKS)) {
                return null;
            }
        }
        return found;
    }

    private void delete(List<Path> files) throws IOException {
        for (Path file : files) {
            if (Files.deleteIfExists(file)) {
                deleted.increment();
                LOG.info("Deleted {}: older than what 'keep' keeps", file);
            }
        }
    }
}
