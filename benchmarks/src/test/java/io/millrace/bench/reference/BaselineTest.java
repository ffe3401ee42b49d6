package io.millrace.bench.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The C baseline counts and writes every datagram in each mode. Skipped without a C compiler. */
class BaselineTest {
    private static final Path PROGRAM = Path.of("target/bin/millrace-baseline").toAbsolutePath();
    private static final int DATAGRAMS = 3000;
    private static final int MAX_LENGTH = 1400;
    private static final int SENDERS = 8;
    private static final long TIMEOUT_S = 20;

    @TempDir
    private Path directory;

    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void needsTheProgram() {
        if (!Files.isExecutable(PROGRAM)) {
            System.err.println("skipped: " + PROGRAM + " is not built: there is no C compiler");
        }
        Assumptions.assumeTrue(Files.isExecutable(PROGRAM), "the C baseline is not built");
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "discard",
                "discard --batch 1",
                "recv",
                "append",
                "append --metadata",
                "discard --sockets 4",
                "discard --sockets 4 --steer",
                "append --sockets 2 --threads 2",
                "recv --threads 2",
                "discard --listen 127.0.0.1,127.0.0.2 --cpu 0",
            })
    void accountsForEveryDatagram(String arguments) throws IOException, InterruptedException {
        List<byte[]> payloads = payloads();
        Run run = run(arguments);
        send(payloads, run.port);
        JsonNode report = run.stop();
        long received = report.get("received").asLong();
        assertThat(received + report.get("drops").asLong()).isEqualTo(DATAGRAMS);
        assertThat(sum(report.get("perSocket"))).isEqualTo(received);
        assertThat(sum(report.get("perThread"))).isEqualTo(received);
        assertThat(report.get("mode").asText()).isEqualTo(arguments.split(" ", -1)[0]);
        if (arguments.startsWith("append")) {
            assertThat(report.get("written").asLong()).isEqualTo(received);
            assertThat(lines()).hasSize((int) received).isSubsetOf(texts(payloads));
        } else {
            assertThat(report.get("written").asLong()).isZero();
        }
        if (arguments.contains("--metadata")) {
            assertThat(report.get("described").asLong()).isEqualTo(received);
        } else {
            assertThat(report.has("described")).isFalse();
        }
        if (report.get("drops").asLong() == 0) {
            assertThat(report.get("bytes").asLong())
                    .isEqualTo(payloads.stream().mapToLong(each -> each.length).sum());
        }
    }

    @Test
    void spreadsDatagramsOfOneSenderOverAllSockets() throws IOException, InterruptedException {
        Run run = run("discard --sockets 4 --steer");
        try (DatagramSocket sender = new DatagramSocket()) {
            for (int i = 0; i < DATAGRAMS; i++) {
                sender.send(new DatagramPacket(new byte[1], 1, InetAddress.getLoopbackAddress(), run.port));
            }
        }
        for (JsonNode socket : run.stop().get("perSocket")) {
            assertThat(socket.asInt()).isGreaterThan(DATAGRAMS / 8);
        }
    }

    @Test
    void ringCountsEveryDatagramOnce() throws IOException, InterruptedException {
        boolean root = "root".equals(System.getProperty("user.name"));
        if (!root) {
            System.err.println("skipped: not root, who alone may open a ring");
        }
        Assumptions.assumeTrue(root, "not root");
        Run run = run("ring");
        send(payloads(), run.port);
        JsonNode report = run.stop();
        assertThat(report.get("received").asLong() + report.get("drops").asLong())
                .isEqualTo(DATAGRAMS);
    }

    @Test
    void reportsInvalidArguments() throws IOException, InterruptedException {
        assertThat(failure("append", 2)).contains("the modes append and stream need --out");
        assertThat(failure("nothing", 2)).contains("unknown mode 'nothing'");
        assertThat(failure("discard --batch 0", 2)).contains("--batch takes a number from 1 to 1024, not '0'");
        assertThat(failure("recv --metadata", 2)).contains("--metadata is for append and discard");
        assertThat(failure("discard --listen here", 2)).contains("--listen takes IPv4 addresses");
        assertThat(failure("append --out " + directory.resolve("no/such"), 1)).contains("open of", "No such file");
        assertThat(failure("ring --interface nosuch0", 1)).containsAnyOf("nosuch0", "CAP_NET_RAW");
    }

    /** A running baseline. */
    private static final class Run {
        private final Process process;
        private final int port;

        Run(Process process) throws IOException {
            this.process = process;
            String ready = process.inputReader().readLine();
            assertThat(ready).matches("ready port=\\d+ granted=\\d+");
            port = Integer.parseInt(ready.replaceAll("ready port=(\\d+) .*", "$1"));
        }

        JsonNode stop() throws IOException, InterruptedException {
            // Process.destroy() would close the streams as well.
            assertThat(process.toHandle().destroy()).isTrue();
            String report = process.inputReader().readLine();
            assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            return new ObjectMapper().readTree(report);
        }
    }

    private Process start(String arguments, boolean out) throws IOException {
        List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
        command.addAll(List.of(arguments.split(" ", -1)));
        if (out) {
            command.addAll(List.of("--out", directory.resolve("lines").toString()));
        }
        Process process = new ProcessBuilder(command).start();
        started.add(process);
        return process;
    }

    private Run run(String arguments) throws IOException {
        return new Run(start(arguments, true));
    }

    private String failure(String arguments, int code) throws IOException, InterruptedException {
        Process process = start(arguments, false);
        String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isEqualTo(code);
        return said;
    }

    private static List<byte[]> payloads() {
        return IntStream.range(0, DATAGRAMS)
                .mapToObj(i -> {
                    int length = i * 7 % (MAX_LENGTH + 1);
                    String text = i + " " + "x".repeat(MAX_LENGTH);
                    return text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
                })
                .toList();
    }

    private static List<String> texts(List<byte[]> payloads) {
        return payloads.stream()
                .map(payload -> new String(payload, StandardCharsets.US_ASCII))
                .toList();
    }

    private static void send(List<byte[]> payloads, int port) throws IOException {
        List<DatagramSocket> senders = new ArrayList<>();
        try {
            for (int i = 0; i < SENDERS; i++) {
                senders.add(new DatagramSocket());
            }
            for (int i = 0; i < payloads.size(); i++) {
                byte[] payload = payloads.get(i);
                senders.get(i % SENDERS)
                        .send(new DatagramPacket(payload, payload.length, InetAddress.getLoopbackAddress(), port));
                if (i % 100 == 0) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
        } finally {
            senders.forEach(DatagramSocket::close);
        }
    }

    /** The lines of all workers. */
    private List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                lines.addAll(Files.readAllLines(file, StandardCharsets.US_ASCII));
            }
        }
        return lines;
    }

    private static long sum(JsonNode numbers) {
        long sum = 0;
        for (JsonNode number : numbers) {
            sum += number.asLong();
        }
        return sum;
    }
}
