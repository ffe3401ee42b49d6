package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Where a service's standard output goes: a named pipe that a program reads, or a file. */
final class StdoutReader implements AutoCloseable {
    private final Path path;
    private final Path text;
    private @Nullable Process reader;

    private StdoutReader(Path path, Path text) {
        this.path = path;
        this.text = text;
    }

    /** A file whose first block is full but for some hundred bytes. */
    static StdoutReader ofFile(Path file) throws IOException {
        Files.writeString(file, "x".repeat(3500) + "\n");
        return new StdoutReader(file, file);
    }

    static StdoutReader ofPipe(Path directory) throws IOException, InterruptedException {
        Path pipe = directory.resolve("stdout.pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        StdoutReader made = new StdoutReader(pipe, Files.createFile(directory.resolve("stdout.log")));
        made.start();
        return made;
    }

    /** What the service's standard output has to be redirected to. */
    Path path() {
        return path;
    }

    void start() throws IOException {
        reader = new ProcessBuilder("cat", path.toString())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(text.toFile()))
                .start();
    }

    void signal(String name) throws IOException, InterruptedException {
        if (reader != null) {
            Forked.signal(reader.pid(), name);
        }
    }

    /** Waits until a text was read. */
    void await(String part) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(Files.readString(text)).contains(part));
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.destroyForcibly();
        }
    }
}
