package io.millrace.output.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.format.RawFormat;
import io.millrace.output.SinkContract;
import io.millrace.output.TestServer;
import io.millrace.sink.Sink;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pipe with a program that reads it, and is killed during an outage. */
@Tag("once")
class StdoutSinkTest extends SinkContract {
    private @Nullable OutputStream pipe;

    @Override
    protected TestServer newServer() throws Exception {
        Path path = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
        return new Reader(path, Files.createFile(directory.resolve("read.log")));
    }

    @Override
    protected Sink newSink() throws IOException {
        if (pipe == null) {
            // Waits for the program that reads.
            pipe = new FileOutputStream(directory.resolve("pipe").toFile());
        }
        return new StdoutSink(new RawFormat(), pipe);
    }

    @AfterEach
    void closePipe() throws IOException {
        pipe.close();
    }

    @Override
    protected boolean refusesNothing() {
        return true;
    }

    @Override
    protected boolean isAcknowledged() {
        return false;
    }

    @Override
    protected void rejectedRecordBecomesADeadLetterWithoutDelay() {
        // A stream refuses nothing.
    }

    @Override
    protected void slowDestinationOnlyDelays() {
        // A pipe that is full blocks its writer: the kernel's part.
    }

    @Override
    protected byte[] refusedPayload() {
        throw new UnsupportedOperationException();
    }

    @Override
    protected String refusal() {
        throw new UnsupportedOperationException();
    }

    @Test
    void incompleteLineBeforeAFailureEndsWithALineFeed() throws Exception {
        ByteArrayOutputStream disk = new ByteArrayOutputStream();
        OutputStream full = new OutputStream() {
            private boolean failed;

            @Override
            public void write(int b) {
                disk.write(b);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (!failed && length > 10) {
                    failed = true;
                    disk.write(bytes, offset, 10);
                    throw new IOException("No space left on device");
                }
                disk.write(bytes, offset, length);
            }
        };
        startCollector(new StdoutSink(new RawFormat(), full));
        send(0, 1);
        awaitAll(1);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                disk.toString(StandardCharsets.UTF_8).lines().toList())
                        .isEqualTo(List.of("<34>1 2026", new String(numbered(0), StandardCharsets.UTF_8))));
    }

    /** What reads the pipe: a program, which leaves what it reads in a file. */
    private static final class Reader implements TestServer {
        private final Path path;
        private final Path text;
        private Process program;

        Reader(Path path, Path text) {
            this.path = path;
            this.text = text;
        }

        @Override
        public void start() throws IOException {
            program = new ProcessBuilder("cat", path.toString())
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(text.toFile()))
                    .start();
        }

        @Override
        public void close() {
            program.destroyForcibly().onExit().join();
        }

        @Override
        public List<String> received() {
            try {
                return Files.readString(text, StandardCharsets.ISO_8859_1)
                        .lines()
                        .filter(line -> !line.isEmpty())
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void delay(long ms) {
            throw new UnsupportedOperationException();
        }
    }
}
