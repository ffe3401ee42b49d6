package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traffic that was recorded is sent again, and is the same: a capture of tcpdump, and a journal. */
@Tag("calm")
@Tag("once")
class ReplayIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final List<String> MESSAGES =
            List.of("hello", "accented: é ü", "x".repeat(900), "tabs\tand \"quotes\"", "last one");

    @TempDir
    private Path directory;

    @Test
    void replaysTheBytesOfLogger() throws IOException, InterruptedException {
        Needs.program("logger");
        Needs.program("tcpdump");
        Needs.root("capture");
        Path capture = directory.resolve("logger.pcap");
        List<String> original;
        try (DatagramSocket receiver = receiver();
                Forked tcpdump = Forked.start(List.of(
                        "tcpdump",
                        "-i",
                        "lo",
                        "-U",
                        "-Z",
                        "root",
                        "-w",
                        capture.toString(),
                        "udp",
                        "dst",
                        "port",
                        Integer.toString(receiver.getLocalPort())))) {
            var unused = tcpdump.awaitErr("listening on", LIMIT);
            for (String message : MESSAGES) {
                log(receiver.getLocalPort(), message);
            }
            original = received(receiver);
            awaitCaptured(capture, original);
            tcpdump.signal("TERM");
            assertThat(tcpdump.awaitExit(LIMIT)).isZero();
        }
        assertThat(original).hasSize(MESSAGES.size());
        try (DatagramSocket receiver = receiver();
                Forked send = Forked.send(
                        List.of(), "--pcap", capture.toString(), "--to", "127.0.0.1:" + receiver.getLocalPort())) {
            assertThat(send.awaitExit(LIMIT)).as("%s", send.err()).isZero();
            assertThat(received(receiver)).isEqualTo(original);
        }
    }

    /** The times, sizes and sources of a collector's traffic reach another collector. */
    @Test
    void replaysAJournalWithItsTimesAndSources() throws IOException, InterruptedException {
        Path original = directory.resolve("original");
        try (Service service = Service.start(List.of(), original)) {
            try (Forked send = Forked.send(
                    List.of(),
                    "--to",
                    service.target(),
                    "--rate",
                    "500:1s,3k:2s",
                    "--sources",
                    "40",
                    "--source-net",
                    "127.1.0.0/16",
                    "--size",
                    "80-400",
                    "--pattern",
                    "rfc3164")) {
                assertThat(send.awaitExit(LIMIT)).as("%s", send.err()).isZero();
            }
            service.stop();
        }
        List<Recorded> sent = recorded(original);
        assertThat(sent).hasSize(6_500);
        for (int speed : new int[] {1, 10}) {
            Path replayed = directory.resolve("replayed-" + speed);
            try (Service service = Service.start(List.of(), replayed)) {
                List<String> script = List.of("env", "JAVA_TOOL_OPTIONS=-Dmillrace.script=" + script());
                try (Forked send = Forked.send(
                        script, "--to", service.target(), "--replay", original.toString(), "--speed", "" + speed)) {
                    assertThat(send.awaitExit(LIMIT)).as("%s", send.err()).isZero();
                }
                service.stop();
            }
            List<Recorded> received = recorded(replayed);
            assertThat(received.stream().map(Recorded::payload))
                    .hasSameSizeAs(sent)
                    .containsExactlyInAnyOrderElementsOf(
                            sent.stream().map(Recorded::payload).toList());
            assertThat(received.stream().map(Recorded::source).distinct()).hasSize(40);
            assertThat(seconds(received) * speed).isCloseTo(seconds(sent), Percentage.withPercentage(5));
            // The slow second.
            assertThat(seconds(received.subList(0, 500)) * speed)
                    .isCloseTo(seconds(sent.subList(0, 500)), Percentage.withPercentage(5));
        }
    }

    private record Recorded(long timeNs, String source, String payload) {}

    private static List<Recorded> recorded(Path data) throws IOException {
        List<Recorded> all = new ArrayList<>();
        try (JournalCursor cursor = Journal.open(data).cursor().byTime(false).open()) {
            while (cursor.poll(
                            (datagram, position) -> all.add(new Recorded(
                                    datagram.receiveTimeNs(), datagram.sourceText(), datagram.payloadText())),
                            1024)
                    > 0) {
                // Until the end.
            }
        }
        return all;
    }

    private static double seconds(List<Recorded> messages) {
        return (messages.get(messages.size() - 1).timeNs() - messages.get(0).timeNs()) / 1e9;
    }

    /** As the script millrace, which would build what is older than its sources. */
    private Path script() throws IOException {
        String jar = Path.of("..", "collector-app/target/millrace.jar")
                .toAbsolutePath()
                .normalize()
                .toString();
        Path script = Files.writeString(
                directory.resolve("millrace"),
                "#!/bin/sh\nunset JAVA_TOOL_OPTIONS\nexec " + String.join(" ", Programs.java()) + " -jar " + jar
                        + " \"$@\"\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    private static DatagramSocket receiver() throws IOException {
        DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.setSoTimeout(1000);
        return socket;
    }

    private static void log(int port, String message) throws IOException, InterruptedException {
        List<String> command =
                List.of("logger", "-d", "-n", "127.0.0.1", "-P", Integer.toString(port), "-t", "replay", "--", message);
        try (ChildProcess logger = ChildProcess.start("logger", command)) {
            assertThat(logger.awaitExit(LIMIT)).isZero();
        }
    }

    private static List<String> received(DatagramSocket socket) throws IOException {
        List<String> payloads = new ArrayList<>();
        byte[] buffer = new byte[65_536];
        try {
            while (payloads.size() < MESSAGES.size()) {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                payloads.add(new String(buffer, 0, packet.getLength(), StandardCharsets.ISO_8859_1));
            }
        } catch (SocketTimeoutException end) {
            // The caller counts.
        }
        return payloads;
    }

    /** tcpdump writes what it captured a moment later. */
    private static void awaitCaptured(Path capture, List<String> payloads) throws IOException, InterruptedException {
        String last = payloads.get(payloads.size() - 1);
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!Files.readString(capture, StandardCharsets.ISO_8859_1).contains(last)) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(50);
        }
    }
}
