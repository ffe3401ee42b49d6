package io.millrace.output.file;

import io.millrace.internal.agent.FatalErrors;
import io.millrace.output.Compression;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compressor of rotated files, on a thread of its own, which deletes old files too. Any thread. */
final class Compressor {
    private static final Logger LOG = LoggerFactory.getLogger(Compressor.class);
    private static final long STOP_S = 5;
    private static final long FIRST_MS = 1_000;

    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

    /** After the stop it takes no more work: what is not compressed by then is compressed after the next start. */
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
            1,
            task -> {
                Thread made = new Thread(task, "millrace-compress");
                made.setDaemon(true);
                return made;
            },
            new ThreadPoolExecutor.DiscardPolicy());

    Compressor() {
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    boolean hasTaken(Path file) {
        return Files.exists(file.resolveSibling(file.getFileName() + ".gz"))
                || Files.exists(file.resolveSibling(file.getFileName() + ".zst"));
    }

    /** Replaces this file by a compressed one in the background. A failure leaves the file unchanged. */
    void compress(Path file, Compression how) {
        if (how != Compression.NONE) {
            execute(() -> {
                try {
                    replace(file, how);
                } catch (IOException | RuntimeException e) {
                    LOG.warn("{} could not be compressed, and stays as it is: {}", file, e.toString());
                }
            });
        }
    }

    /** Runs something after the compressions that were started before. */
    void execute(Runnable task) {
        thread.execute(FatalErrors.survivor("Work on old files", LOG, task));
    }

    /** Runs something soon, and then again and again with a pause, each time after the compressions that were started before. */
    void repeat(Runnable task, Duration pause) {
        var unused = thread.scheduleWithFixedDelay(
                FatalErrors.survivor("The scan for old files", LOG, task),
                FIRST_MS,
                pause.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** The compressed file of a file, as long as it is incomplete. */
    static Path unfinished(Path file) {
        return file.resolveSibling(file.getFileName() + ".unfinished");
    }

    private static void replace(Path file, Compression how) throws IOException {
        Path target = file.resolveSibling(file.getFileName() + how.suffix());
        Path unfinished = unfinished(file);
        // A crash may have left an incomplete one.
        Files.deleteIfExists(unfinished);
        try {
            Files.createFile(unfinished, PosixFilePermissions.asFileAttribute(OWNER));
            try (OutputStream plain = Files.newOutputStream(unfinished);
                    OutputStream out = how.to(plain)) {
                Files.copy(file, out);
            }
            Files.setPosixFilePermissions(unfinished, Files.getPosixFilePermissions(file));
            FileMark.copy(file, unfinished);
            // Syncs before the original is deleted, because its records were acknowledged.
            sync(unfinished, StandardOpenOption.WRITE);
        } catch (IOException e) {
            Files.deleteIfExists(unfinished);
            throw e;
        }
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        sync(target.toAbsolutePath().resolveSibling(""), StandardOpenOption.READ);
        Files.delete(file);
    }

    private static void sync(Path path, OpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }

    /** Ends the current compression within a few seconds; other files stay uncompressed. */
    void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(STOP_S, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
