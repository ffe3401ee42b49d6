package io.millrace.bench.deliver;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.host.CpuTime;
import io.millrace.bench.subject.MillraceService;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A journal of messages, and its delivery by a service of its own for each output. An output of a new name begins at the
 * beginning.
 */
final class FullJournal {
    private static final Duration STOP = Duration.ofSeconds(60);
    private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(10);
    private static final long LOOK_MS = 50;
    private static final long QUIET_MS = 200;
    private static final int MAX_LOOKS = 50;
    private static final int BUFFER_BYTES = 1 << 18;
    private static final String INPUT = "inputs: {tcp: {listen: \"tcp://127.0.0.1:0\"}}\n";

    private final Path directory;
    private final List<String> messages;
    private final long count;

    /**
     * What a delivery took.
     *
     * @param seconds from the reload that adds the output to the last write of the file, or the last acknowledgement
     * @param cpuNanos CPU time of the process from the reload on
     */
    record Drained(double seconds, long cpuNanos) {}

    private FullJournal(Path directory, List<String> messages, long count) {
        this.directory = directory;
        this.messages = messages;
        this.count = count;
    }

    /** Has a service journal messages from a TCP connection, which loses none. */
    static FullJournal fill(Path directory, Messages kind, long count) throws IOException, InterruptedException {
        FullJournal journal = new FullJournal(Files.createDirectory(directory), kind.list(), count);
        MillraceService service = journal.start();
        try {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port());
                    OutputStream out = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES)) {
                for (long i = 0; i < count; i++) {
                    out.write((journal.message(i) + "\n").getBytes(StandardCharsets.US_ASCII));
                }
            }
            long endNs = System.nanoTime() + LIMIT_NS;
            while (service.get("/api/ledger").path("journaled").asLong() < count) {
                pause(endNs, "the service did not journal all messages: " + service.get("/api/ledger"));
            }
            var unused = service.process().terminate(STOP);
            return journal;
        } finally {
            service.process().close();
        }
    }

    private MillraceService start() throws IOException, InterruptedException {
        Files.writeString(config(), INPUT);
        return MillraceService.start(
                "the service",
                MillraceService.command(
                        "--config",
                        config().toString(),
                        "--data",
                        directory.resolve("data").toString(),
                        "--admin",
                        "127.0.0.1:0"));
    }

    private Path config() {
        return directory.resolve("millrace.yaml");
    }

    private String message(long number) {
        return messages.get((int) (number % messages.size()));
    }

    private static void pause(long endNs, String problem) throws IOException, InterruptedException {
        if (System.nanoTime() - endNs > 0) {
            throw new IOException(problem);
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }

    /**
     * Starts a service, adds an output when it is idle, and checks what the output has delivered.
     *
     * @param output its name, which no output had before
     * @param kafka the settings that say where Kafka is, for a case that delivers to it
     */
    Drained drain(DrainCase of, String output, String kafka) throws IOException, InterruptedException {
        Path file = directory.resolve(output);
        String to = of.isKafka() ? "type: kafka, " + kafka : "type: file, path: " + file;
        MillraceService service = start();
        try {
            long pid = service.process().pid();
            // The first reload loads classes, which takes as long as the delivery of many messages.
            service.reload();
            awaitIdle(pid);
            Files.writeString(config(), INPUT + "outputs: {" + output + ": {" + to + ", " + of.settings() + "}}\n");
            long cpuBefore = CpuTime.ofProcess(pid);
            Instant start = Instant.now();
            service.reload();
            awaitDelivered(service, output);
            Instant end = of.isKafka()
                    ? Instant.now()
                    : Files.getLastModifiedTime(file).toInstant();
            long cpuNanos = CpuTime.ofProcess(pid) - cpuBefore;
            var unused = service.process().terminate(STOP);
            if (!of.isKafka()) {
                check(of, file);
                Files.delete(file);
            }
            return new Drained(Duration.between(start, end).toNanos() / 1e9, cpuNanos);
        } finally {
            service.process().close();
        }
    }

    /** The JVM compiles for a while after the start. */
    private static void awaitIdle(long pid) throws IOException, InterruptedException {
        long before = -1;
        for (int looks = 0; looks < MAX_LOOKS && CpuTime.ofProcess(pid) > before; looks++) {
            before = CpuTime.ofProcess(pid);
            TimeUnit.MILLISECONDS.sleep(QUIET_MS);
        }
    }

    private void awaitDelivered(MillraceService service, String output) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + LIMIT_NS;
        while (true) {
            JsonNode state = service.get("/api/ledger").path("delivered").path(output);
            if (state.path("acked").asLong() + state.path("filtered").asLong() == count) {
                return;
            }
            if (state.path("deadLettered").asLong() > 0 || state.path("problem").isTextual()) {
                throw new IOException("the output does not deliver: " + state);
            }
            pause(endNs, "the output has not delivered everything: " + state);
        }
    }

    /** How many messages a case delivers. */
    long expected(DrainCase of) {
        long each = messages.stream().filter(of::takes).count();
        long rest = messages.stream()
                .limit(count % messages.size())
                .filter(of::takes)
                .count();
        return count / messages.size() * each + rest;
    }

    private void check(DrainCase of, Path file) throws IOException {
        long[] counts = new long[2];
        try (Stream<String> lines = Files.lines(file, StandardCharsets.US_ASCII)) {
            lines.forEach(line -> counts[of.isRight(line) ? 0 : 1]++);
        }
        if (counts[0] != expected(of) || counts[1] > 0) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "the output of %s has %,d right and %,d wrong lines instead of %,d",
                    of,
                    counts[0],
                    counts[1],
                    expected(of)));
        }
    }
}
