package io.millrace.output;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A small file system in memory for a test, which can be full or read-only. Needs root. */
public final class Mount implements Closeable {
    private final Path directory;

    private Mount(Path directory) {
        this.directory = directory;
    }

    public static boolean isPossible() throws IOException, InterruptedException {
        return run("sh", "-c", "test $(id -u) = 0 && unshare --mount true") == 0;
    }

    public static Mount tmpfs(Path directory, String size) throws IOException, InterruptedException {
        check(run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", directory.toString()));
        return new Mount(directory);
    }

    public void remount(String options) throws IOException, InterruptedException {
        check(run("mount", "-o", "remount," + options, directory.toString()));
    }

    private static void check(int code) throws IOException {
        if (code != 0) {
            throw new IOException("mount ended with " + code);
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        try {
            check(run("umount", directory.toString()));
        } catch (InterruptedException e) {
            throw (IOException) new InterruptedIOException().initCause(e);
        }
    }
}
