package io.millrace.output.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The open files of an output, of which each is rotated when it is full. The output's thread holds the monitor while it writes a batch.
 * {@link FileSweep} holds it while it deletes or rotates a file: so neither sees a file of the other.
 */
final class OpenFiles {
    /** The maximum number of open files. */
    static final int MAX = 128;

    private static final int MAX_BEGUN = 65_536;

    private final OpenFile.Owner owner;
    /** The mark is the same, but the claim is another, so that the files of the output are not opened twice. */
    private final OpenFile.Owner sweeper;

    private final FileSink.Rotation rotation;
    private final Compressor compressor;
    private final FileRetention retention;
    private final RotatedNames rotatedNames = new RotatedNames(Clock.systemUTC());
    private final Map<String, OpenFile> open = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, Long> begunNs = new Begun();
    private boolean closed;

    /** The first write times of recent files, including closed ones. */
    private static final class Begun extends LinkedHashMap<String, Long> {
        private static final long serialVersionUID = 1;

        Begun() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MAX_BEGUN;
        }
    }

    /** Work on a file that nobody writes to. */
    @FunctionalInterface
    interface Task {
        void run(OpenFile file) throws IOException;
    }

    OpenFiles(OpenFile.Owner owner, FileSink.Rotation rotation, Compressor compressor, FileRetention retention) {
        this.owner = owner;
        this.sweeper = new OpenFile.Owner(new Object(), owner.mark(), owner.isOfMessages());
        this.rotation = rotation;
        this.compressor = compressor;
        this.retention = retention;
    }

    synchronized boolean contains(String path) {
        return open.containsKey(path);
    }

    /** Opens a file, if it is not open. One that is full is rotated before. */
    synchronized OpenFile get(String path) throws IOException {
        end(path);
        OpenFile file = open.get(path);
        if (file == null) {
            closeOldest();
            file = OpenFile.open(Path.of(path), owner);
            if (file.isEmpty() || !begunNs.containsKey(path)) {
                begunNs.put(path, System.nanoTime());
                // For the first time, or after a rotation.
                retention.expire(file.path());
            }
            file.begunAt(begunNs.getOrDefault(path, System.nanoTime()));
            open.put(path, file);
            if (file.isFull(rotation)) {
                // The file was closed meanwhile, and is due for rotation.
                return get(path);
            }
        }
        return file;
    }

    /** Closes a file that is full or was removed. */
    private void end(String path) throws IOException {
        OpenFile file = open.get(path);
        if (file != null && (file.isFull(rotation) || file.isGone())) {
            open.remove(path);
            begunNs.remove(path);
            file.close();
            if (file.isFull(rotation)) {
                file.rotate(rotatedNames, compressor, rotation.compression());
            }
        }
    }

    private void closeOldest() throws IOException {
        while (open.size() >= MAX) {
            close(open.values().iterator().next());
        }
    }

    /** Closes a file, so that it is opened again when it is needed. */
    synchronized void close(OpenFile file) throws IOException {
        open.values().remove(file);
        file.close();
    }

    /**
     * Runs a task with a file of this output that is not open in the service and not locked by another process. One that was not written
     * to for some time is closed before. Nothing is done if that fails, or the file is of another output or of somebody else.
     *
     * @param path absolute
     * @param written the last write; nothing is done if there was one since
     */
    void whileUnused(Path path, FileTime written, Duration idle, Task task) throws IOException {
        if (!isOwn(path, path)) {
            return;
        }
        synchronized (this) {
            if (closed || !closeIdle(path, idle)) {
                return;
            }
            if (!Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).equals(written)) {
                return;
            }
            OpenFile file = OpenFile.open(path, sweeper);
            try {
                task.run(file);
            } finally {
                file.close();
            }
        }
    }

    /** False if the file is open, and in use. */
    private boolean closeIdle(Path path, Duration idle) throws IOException {
        for (OpenFile file : List.copyOf(open.values())) {
            if (file.isAt(path)) {
                if (!file.isIdle(idle)) {
                    return false;
                }
                close(file);
            }
        }
        return true;
    }

    /**
     * True if this output made a file, as far as its mark says, or without one its name.
     *
     * @param base the file, or the one from which it was rotated
     */
    boolean isOwn(Path file, Path base) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && (owner.mark() == null || OpenFile.isOwned(file, owner))
                && !FileClaims.OF_PROCESS.isReserved(file, owner.sink())
                && !FileClaims.OF_PROCESS.isReserved(base, owner.sink());
    }

    /** True if the mark proves that this output made a file. */
    boolean isMarked(Path file) throws IOException {
        return owner.mark() != null && FileMark.of(file, owner.mark()) == FileMark.Found.OWNED;
    }

    /** Closes all files; none is opened any more by {@link #whileUnused}. */
    synchronized void close() throws IOException {
        closed = true;
        for (OpenFile file : open.values()) {
            file.close();
        }
        open.clear();
    }
}
