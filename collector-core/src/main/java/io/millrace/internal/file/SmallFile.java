package io.millrace.internal.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reader of small files. It reads regular files only, because a named pipe without a writer would block, and a device such as {@code
 * /dev/zero} has no end. A file system that hangs costs the caller {@value #MAX_SECONDS} s, and while it does, further calls for the
 * same file fail at once: so no more than one thread hangs for each file. Any thread.
 */
public final class SmallFile {
    /** How long a file may take. */
    public static final int MAX_SECONDS = 5;

    private static final ExecutorService READERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "millrace-file");
        thread.setDaemon(true);
        return thread;
    });

    private static final Map<Path, Future<?>> HANGING = new ConcurrentHashMap<>();

    private SmallFile() {}

    /** The path does not lead to a regular file. */
    public static final class NotRegularException extends IOException {
        private static final long serialVersionUID = 1;

        private final String kind;

        NotRegularException(Path file, String kind) {
            super(file + " is " + kind);
            this.kind = kind;
        }

        /** The type of the file, such as {@code a directory}. */
        public String kind() {
            return kind;
        }
    }

    /**
     * Reads the beginning of a file and follows symbolic links.
     *
     * @param maxBytes how many bytes to read
     * @throws NotRegularException if it is not a regular file
     */
    public static byte[] head(Path file, int maxBytes) throws IOException {
        return inTime(file, () -> read(file, maxBytes));
    }

    private static byte[] read(Path file, int maxBytes) throws IOException {
        if (Files.isDirectory(file)) {
            throw new NotRegularException(file, "a directory");
        }
        if (!Files.isRegularFile(file)) {
            if (Files.exists(file)) {
                throw new NotRegularException(file, "a pipe, a socket or a device");
            }
            // Describes why a file cannot be found: it is missing, or a directory cannot be entered.
            file.getFileSystem().provider().checkAccess(file);
            throw new NoSuchFileException(file.toString());
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(maxBytes);
        }
    }

    /**
     * Asks something about a file.
     *
     * @param question asked on another thread
     * @throws IOException as the question, and if there is no answer in time
     */
    public static <T> T inTime(Path file, Callable<T> question) throws IOException {
        Future<?> hanging = HANGING.get(file);
        if (hanging != null && !hanging.isDone()) {
            throw new IOException("an earlier attempt is still waiting for its file system");
        }
        HANGING.remove(file);
        Future<T> answer = READERS.submit(question);
        try {
            return answer.get(MAX_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            HANGING.put(file, answer);
            throw new IOException("its file system has not answered within " + MAX_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            HANGING.put(file, answer);
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
