package io.millrace.output.file;

import io.millrace.setting.SettingTypes;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes rotated files of one output beyond their number. It knows them by the name of the file that was rotated, which the output had
 * open, and by their own name ({@link RotatedName}); all other files stay. {@link FileSweep} decides which are too old. Any thread; the work
 * is done by the executor, which compresses files too, so that no file is deleted while it is compressed.
 */
final class FileRetention {
    private static final Logger LOG = LoggerFactory.getLogger(FileRetention.class);

    private final Keep keep;
    private final Executor executor;
    private final LongAdder deleted = new LongAdder();
    private final Map<Path, Set<String>> pending = new HashMap<>();

    /**
     * Which files are kept.
     *
     * @param files of the rotated files of a path, the newest so many
     * @param age files that were written to less long ago, rotated or not
     */
    record Keep(int files, Duration age) {
        static final Keep ALL = new Keep(Integer.MAX_VALUE, Duration.ofDays(Integer.MAX_VALUE));
        static final String TAKES = "a number of files such as 100, or a time such as 30d, at least 1m";
        private static final Duration MIN_AGE = Duration.ofMinutes(1);

        static Keep parse(String text) {
            if (text.matches("[1-9]\\d{0,6}")) {
                return new Keep(Integer.parseInt(text), ALL.age);
            }
            try {
                return of(SettingTypes.DURATION.parse(text));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("accepts " + TAKES + ", not '" + text + "'", e);
            }
        }

        static Keep of(Duration age) {
            if (age.compareTo(MIN_AGE) < 0) {
                throw new IllegalArgumentException("accepts a time of at least 1m, not " + age);
            }
            return new Keep(ALL.files, age);
        }

        boolean isByAge() {
            return age.compareTo(ALL.age) < 0;
        }
    }

    FileRetention(Keep keep, Executor executor) {
        this.keep = keep;
        this.executor = executor;
    }

    long deleted() {
        return deleted.sum();
    }

    /** Deletes rotated files beyond the number, of a file that this output owns, in the background. */
    void expire(Path file) {
        Path directory = file.toAbsolutePath().normalize().getParent();
        if (keep.files() == Keep.ALL.files() || directory == null) {
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
                RotatedName name = rotatedName(file, bases::contains);
                if (name != null && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    found.computeIfAbsent(name.base(), base -> new TreeMap<>())
                            .computeIfAbsent(name, each -> new ArrayList<>())
                            .add(file);
                }
            }
            for (NavigableMap<RotatedName, List<Path>> each : found.values()) {
                while (each.size() > keep.files()) {
                    for (Path file : each.pollFirstEntry().getValue()) {
                        delete(file);
                    }
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("Old rotated files in {} cannot be deleted: {}", directory, e.toString());
        }
    }

    /** The rotated file of one of some files; null if it is none, or may be that of another file in the directory. */
    static @Nullable RotatedName rotatedName(Path file, Predicate<String> isBase) {
        RotatedName found = null;
        for (RotatedName each : RotatedName.parse(String.valueOf(file.getFileName()))) {
            if (found == null && isBase.test(each.base())) {
                found = each;
            } else if (Files.exists(file.resolveSibling(each.base()), LinkOption.NOFOLLOW_LINKS)) {
                return null;
            }
        }
        return found;
    }

    void delete(Path file) throws IOException {
        if (Files.deleteIfExists(file)) {
            deleted.increment();
            LOG.info("Deleted {}: older than what 'keep' keeps", file);
        }
    }
}
