package io.millrace.output.file;

import io.millrace.internal.agent.FailureLog;
import io.millrace.output.Compression;
import io.millrace.output.internal.name.NameTemplate;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scan for old files of an output, in all directories that its path can name. Files without a write for longer than {@code keep} are
 * deleted. If files are compressed, one whose day, month or hour is over is rotated and
 * compressed, and so is a rotated file that a stop or a crash left.
 *
 * <p><b>Which files.</b> Each name must be one that the path makes, or that of a rotated file of it, and not hidden behind a symbolic link.
 * {@link OpenFiles} knows which of them are in use, or are somebody else's.
 *
 * <p><b>Cost.</b> It begins again when a period is over, and otherwise after a part of {@code keep}, an hour at most. Each run, one per
 * minute, ends after the directory with which it has seen enough entries, and the next continues there. One thread, that of the
 * compressor.
 */
final class FileSweep {
    private static final Logger LOG = LoggerFactory.getLogger(FileSweep.class);
    private static final Duration RUN_EVERY = Duration.ofMinutes(1);
    private static final Duration MAX_PAUSE = Duration.ofHours(1);
    private static final int PASSES_PER_KEEP = 60;
    private static final int MAX_ENTRIES = 10_000;

    /** How long after its end a period counts as current: its last messages are still on their way. */
    private static final Duration GRACE = Duration.ofMinutes(10);

    /** How long a file without a write counts as in use. It is less, so that files of a period are found when it is over. */
    private static final Duration IDLE = Duration.ofMinutes(5);

    private final NameTemplate template;
    private final FileSink.Rotation rotation;
    private final OpenFiles files;
    private final FileRetention retention;
    private final Compressor compressor;
    private final Clock clock;
    private final Duration idle;
    private final Place root;
    private final Deque<Place> pending = new ArrayDeque<>();
    private final FailureLog failures = new FailureLog(LOG);
    private Instant nextPass = Instant.MIN;
    private Instant now = Instant.MIN;

    /** The parts of the time in the names of files of this moment, and of the beginning of the grace. */
    private List<String> current = List.of();

    private List<String> previous = List.of();

    /**
     * A directory or a file that the path can name.
     *
     * @param below the patterns of the names below it: those with fields, and those of the fallback file
     * @param times the parts of the time in its path so far
     */
    private record Place(Path path, List<List<Pattern>> below, List<String> times) {
        /** The place of an entry in this directory; null if the path cannot name it. */
        @Nullable
        Place entry(String name) {
            List<List<Pattern>> rest = new ArrayList<>();
            List<String> all = times;
            for (List<Pattern> levels : below) {
                Matcher matcher = levels.get(0).matcher(name);
                if (matcher.matches()) {
                    rest.add(levels.subList(1, levels.size()));
                    all = new ArrayList<>(times);
                    for (int i = 1; i <= matcher.groupCount(); i++) {
                        all.add(matcher.group(i));
                    }
                }
            }
            return rest.isEmpty() ? null : new Place(path.resolve(name), rest, all);
        }

        boolean hasFiles() {
            return below.get(0).size() == 1;
        }
    }

    FileSweep(
            NameTemplate template,
            FileSink.Rotation rotation,
            OpenFiles files,
            FileRetention retention,
            Compressor compressor,
            Clock clock) {
        this(template, rotation, files, retention, compressor, clock, IDLE);
    }

    FileSweep(
            NameTemplate template,
            FileSink.Rotation rotation,
            OpenFiles files,
            FileRetention retention,
            Compressor compressor,
            Clock clock,
            Duration idle) {
        this.template = template;
        this.rotation = rotation;
        this.files = files;
        this.retention = retention;
        this.compressor = compressor;
        this.clock = clock;
        this.idle = idle;
        NameTemplate below = template.belowDirectory();
        this.root = new Place(
                Path.of(template.directory()).toAbsolutePath().normalize(),
                template.isOfMessages()
                        ? List.of(below.levels(false), below.levels(true))
                        : List.of(below.levels(false)),
                List.of());
    }

    /** Begins to scan in the background, if the settings ask for it. */
    void start() {
        if (rotation.keep().isByAge() || compresses()) {
            compressor.repeat(this::run, RUN_EVERY);
        }
    }

    private boolean compresses() {
        return rotation.compression() != Compression.NONE;
    }

    /** Scans the next directories. */
    void run() {
        now = clock.instant();
        current = template.times(now);
        List<String> before = previous;
        previous = template.times(now.minus(GRACE));
        if (!previous.equals(before)) {
            nextPass = now;
        }
        if (pending.isEmpty() && !now.isBefore(nextPass)) {
            Duration pause = rotation.keep().age().dividedBy(PASSES_PER_KEEP);
            nextPass = now.plus(pause.compareTo(MAX_PAUSE) < 0 ? pause : MAX_PAUSE);
            pending.push(root);
        }
        int entries = 0;
        while (!pending.isEmpty() && entries < MAX_ENTRIES) {
            entries += list(pending.pop());
        }
    }

    private int list(Place directory) {
        int entries = 1;
        if (!directory.path().equals(root.path()) && !Files.isDirectory(directory.path(), LinkOption.NOFOLLOW_LINKS)) {
            return entries;
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory.path())) {
            for (Path file : found) {
                entries++;
                String name = String.valueOf(file.getFileName());
                if (directory.hasFiles()) {
                    check(directory, file, name);
                } else {
                    Place entry = directory.entry(name);
                    if (entry != null) {
                        pending.push(entry);
                    }
                }
            }
        } catch (NoSuchFileException e) {
            // Not created yet, or removed meanwhile.
        } catch (IOException | DirectoryIteratorException e) {
            failures.report("Directory {} cannot be scanned for old files: {}", directory.path(), e.toString());
        }
        return entries;
    }

    private void check(Place directory, Path file, String name) {
        try {
            Place own = directory.entry(name);
            RotatedName rotated =
                    own != null ? null : FileRetention.rotatedName(file, base -> directory.entry(base) != null);
            if (own != null && !isCurrent(own.times())) {
                checkNamed(file, !own.times().isEmpty());
            } else if (rotated != null) {
                checkRotated(file, rotated);
            }
        } catch (NoSuchFileException | UnusableNameException e) {
            // Another program removed it, or another output has it open.
        } catch (IOException e) {
            failures.report("{} is neither deleted nor compressed for now: {}", file, e.toString());
        }
    }

    /** True if the output writes messages of this moment to such a file. */
    private boolean isCurrent(List<String> times) {
        return template.isConstant() || (!times.isEmpty() && (times.equals(current) || times.equals(previous)));
    }

    private void checkNamed(Path file, boolean isOfPeriod) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        FileTime written = found.lastModifiedTime();
        if (isOlder(written.toInstant(), rotation.keep().age())) {
            // A name of fields alone may be any name.
            if (isOfPeriod || files.isMarked(file)) {
                files.whileUnused(file, written, idle, unused -> delete(file));
            }
        } else if (compresses() && isOfPeriod && found.size() > 0 && isOlder(written.toInstant(), idle)) {
            // The time of the last write, so that the file is not kept for longer than the others.
            RotatedNames names = new RotatedNames(Clock.fixed(written.toInstant(), ZoneOffset.UTC));
            files.whileUnused(file, written, idle, unused -> unused.rotate(names, compressor, rotation.compression()));
        }
    }

    private void checkRotated(Path file, RotatedName name) throws IOException {
        boolean isExpired = isOlder(name.time(), rotation.keep().age());
        boolean isLeft =
                compresses() && name.text().equals(String.valueOf(file.getFileName())) && isOlder(name.time(), idle);
        if ((isExpired || isLeft) && files.isOwn(file, file.resolveSibling(name.base()))) {
            if (isExpired) {
                // A crash may have left it.
                Files.deleteIfExists(Compressor.unfinished(file));
                delete(file);
            } else {
                compressor.compress(file, rotation.compression());
            }
        }
    }

    private boolean isOlder(Instant time, Duration age) {
        return time.isBefore(now.minus(age));
    }

    /** Deletes a file, and the directories that are empty then. */
    private void delete(Path file) throws IOException {
        retention.delete(file);
        // Otherwise the output could miss a directory that it has just created.
        synchronized (files) {
            for (Path each = file.getParent(); each != null && !each.equals(root.path()); each = each.getParent()) {
                try {
                    Files.delete(each);
                } catch (IOException e) {
                    // It is not empty, or may not be removed.
                    return;
                }
            }
        }
    }
}
