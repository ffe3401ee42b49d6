package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.bench.host.ChildProcess;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A capture that tcpdump made of what {@code logger} sent is sent again, and is the same. */
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
