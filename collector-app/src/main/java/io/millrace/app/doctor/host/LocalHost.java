package io.millrace.app.doctor.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The host of this process. */
public final class LocalHost implements Host {
    private static final Duration TOOL_TIME = Duration.ofSeconds(5);
    private static final int MAX_OUTPUT = 1 << 20;
    /** Distributions install ethtool in directories that may not be on the path. */
    private static final String MORE_PATH = ":/usr/sbin:/sbin";

    private static final long TEST_BYTES = 64L << 20;
    private static final long TEST_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int CHUNKS_PER_SYNC = 4;
    private static final long SPARE_BYTES = 1L << 30;

    private final Duration toolTime;

    /** Creates the host with a limit of five seconds per tool. */
    public LocalHost() {
        this(TOOL_TIME);
    }

    public LocalHost(Duration toolTime) {
        this.toolTime = toolTime;
    }

    @Override
    public Answer read(String path) {
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            return Answer.of(new String(in.readNBytes(MAX_OUTPUT), StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            return Answer.missing(path + " is not there");
        } catch (AccessDeniedException e) {
            return Answer.failed("no permission for " + path);
        } catch (IOException e) {
            return Answer.failed(path + ": " + e.getMessage());
        }
    }

    @Override
    public List<String> list(String path) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of(path))) {
            entries.forEach(it -> names.add(it.getFileName().toString()));
        } catch (IOException notThere) {
            return List.of();
        }
        Collections.sort(names);
        return names;
    }

    @Override
    public @Nullable String link(String path) {
        try {
            return Files.readSymbolicLink(Path.of(path)).toString();
        } catch (IOException notThere) {
            return null;
        }
    }

    @Override
    public Answer run(String tool, String... arguments) {
        List<String> command = new ArrayList<>(List.of(tool));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().merge("PATH", MORE_PATH, String::concat);
        builder.environment().put("LC_ALL", "C");
        String shown = String.join(" ", command);
        String program = find(tool, builder.environment().getOrDefault("PATH", ""));
        if (program == null) {
            return Answer.missing(tool + " is not installed");
        }
        command.set(0, program);
        try {
            Process process = builder.command(command).start();
            process.getOutputStream().close();
            CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> text(process));
            try {
                String text = output.get(toolTime.toMillis(), TimeUnit.MILLISECONDS);
                if (process.waitFor(toolTime.toMillis(), TimeUnit.MILLISECONDS)) {
                    return process.exitValue() == 0
                            ? Answer.of(text)
                            : Answer.failed(shown + ": " + firstLine(text, process.exitValue()));
                }
                return Answer.failed(shown + " did not end within " + toolTime.toMillis() + " ms");
            } catch (TimeoutException e) {
                return Answer.failed(shown + " did not end within " + toolTime.toMillis() + " ms");
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException | ExecutionException e) {
            return Answer.failed(shown + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.failed(shown + " was interrupted");
        }
    }

    private static @Nullable String find(String tool, String path) {
        return Arrays.stream(path.split(":", -1))
                .filter(it -> it.startsWith("/"))
                .map(it -> Path.of(it, tool))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse(null);
    }

    private static String text(Process process) {
        try (InputStream in = process.getInputStream()) {
            return new String(in.readNBytes(MAX_OUTPUT), StandardCharsets.UTF_8);
        } catch (IOException killed) {
            return "";
        }
    }

    private static String firstLine(String text, int exitCode) {
        return text.lines()
                .map(String::strip)
                .filter(it -> !it.isEmpty())
                .findFirst()
                .orElse("exit code " + exitCode);
    }

    @Override
    public Path nearest(Path directory) {
        Path path = directory.toAbsolutePath().normalize();
        while (!Files.isDirectory(path) && path.getParent() != null) {
            path = path.getParent();
        }
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
        }
    }

    @Override
    public WriteSpeed writeTest(Path directory) throws IOException {
        if (Files.getFileStore(directory).getUsableSpace() < SPARE_BYTES) {
            throw new IOException("less than 1 GiB is free, and the test leaves that alone");
        }
        // Random data, which file systems cannot compress.
        byte[] bytes = new byte[CHUNK_BYTES];
        new Random(1).nextBytes(bytes);
        ByteBuffer chunk = ByteBuffer.wrap(bytes);
        Path file = Files.createTempFile(directory, ".millrace-doctor-", ".tmp");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            long start = System.nanoTime();
            long written = 0;
            // Synced every few chunks, so that the test ends in time on slow disks.
            while (written < TEST_BYTES && System.nanoTime() - start < TEST_NS) {
                for (int i = 0; i < CHUNKS_PER_SYNC; i++) {
                    chunk.rewind();
                    while (chunk.hasRemaining()) {
                        written += channel.write(chunk);
                    }
                }
                channel.force(true);
            }
            return new WriteSpeed(written, System.nanoTime() - start);
        } finally {
            Files.delete(file);
        }
    }
}
