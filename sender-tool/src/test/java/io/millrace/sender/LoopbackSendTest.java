package io.millrace.sender;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The command over real sockets. The runs are short enough for the smallest receive buffer to hold all they send. */
class LoopbackSendTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int send(String... args) {
        return SendMain.run(new PrintWriter(out), new PrintWriter(err), args);
    }

    private static DatagramSocket socket() throws IOException {
        DatagramSocket socket = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static List<DatagramPacket> receive(DatagramSocket socket, int count) throws IOException {
        List<DatagramPacket> packets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
            socket.receive(packet);
            packets.add(packet);
        }
        return packets;
    }

    @Test
    void everySequenceNumberArrivesOncePerSourceInTheSizeAsked() throws IOException {
        try (DatagramSocket socket = socket()) {
            int code = send(
                    "--to",
                    "127.0.0.1:" + socket.getLocalPort(),
                    "--rate",
                    "20k",
                    "--count",
                    "100",
                    "--sources",
                    "3",
                    "--size",
                    "125",
                    "--run",
                    "2a",
                    "--tolerate",
                    "100");
            assertThat(code).as(err.toString()).isZero();

            Map<Integer, BitSet> seen = new HashMap<>();
            Set<Integer> ports = new HashSet<>();
            SequencePayload payload = new SequencePayload();
            for (DatagramPacket packet : receive(socket, 100)) {
                assertThat(packet.getLength()).isEqualTo(125);
                assertThat(payload.decode(packet.getData(), 0, 125)).isTrue();
                assertThat(payload.runId()).isEqualTo(0x2a);
                BitSet sequences = seen.computeIfAbsent(payload.source(), source -> new BitSet());
                int sequence = Math.toIntExact(payload.sequence());
                assertThat(sequences.get(sequence)).isFalse();
                sequences.set(sequence);
                ports.add(packet.getPort());
            }
            assertThat(ports).hasSize(3);
            assertThat(seen.keySet()).containsExactlyInAnyOrder(0, 1, 2);
            assertThat(seen.get(0).nextClearBit(0)).isEqualTo(34);
            assertThat(seen.get(1).nextClearBit(0)).isEqualTo(33);
            assertThat(seen.get(2).nextClearBit(0)).isEqualTo(33);
        }
    }

    @Test
    void theJsonObjectTellsTheRun() throws IOException {
        try (DatagramSocket socket = socket()) {
            String to = "localhost:" + socket.getLocalPort();
            int code = send(
                    "--to=" + to, "--rate=1k", "--duration=50ms", "--size=32", "--run=1f", "--json", "--tolerate=100");
            assertThat(code).as(err.toString()).isZero();
            receive(socket, 50);

            JsonNode json = new ObjectMapper().readTree(out.toString());
            List<String> names = new ArrayList<>();
            json.fieldNames().forEachRemaining(names::add);
            assertThat(names)
                    .containsExactly(
                            "run",
                            "to",
                            "sources",
                            "size",
                            "targetRate",
                            "sent",
                            "failed",
                            "refused",
                            "sendErrors",
                            "bytes",
                            "elapsedSeconds",
                            "achievedRate",
                            "late",
                            "maxLateMicros");
            assertThat(json.get("run").textValue()).isEqualTo("0000001f");
            assertThat(json.get("to").textValue()).isEqualTo(to);
            assertThat(json.get("sources").intValue()).isEqualTo(1);
            assertThat(json.get("size").intValue()).isEqualTo(32);
            assertThat(json.get("targetRate").intValue()).isEqualTo(1000);
            assertThat(json.get("sent").longValue()).isEqualTo(50);
            assertThat(json.get("failed").longValue()).isZero();
            assertThat(json.get("refused").longValue()).isZero();
            assertThat(json.get("sendErrors").longValue()).isZero();
            assertThat(json.get("bytes").longValue()).isEqualTo(1600);
            assertThat(json.get("elapsedSeconds").doubleValue()).isBetween(0.05, 5.0);
            assertThat(json.get("achievedRate").doubleValue()).isBetween(10.0, 1000.0);
            assertThat(err.toString())
                    .startsWith("run 0000001f: sent 50 datagrams of 32 bytes to " + to + " from 1 source");
        }
    }

    @Test
    void withoutAScheduleTheTargetRateIsNull() throws IOException {
        try (DatagramSocket socket = socket()) {
            int code = send("--to", "127.0.0.1:" + socket.getLocalPort(), "--rate", "max", "--count", "50", "--json");
            assertThat(code).as(err.toString()).isZero();
            receive(socket, 50);
            JsonNode json = new ObjectMapper().readTree(out.toString());
            assertThat(json.get("targetRate").isNull()).isTrue();
            assertThat(json.get("late").longValue()).isZero();
            assertThat(err.toString()).contains("as fast as it went");
        }
    }

    @Test
    void aClosedPortIsCountedAndDoesNotEndTheRun() throws IOException {
        int closed;
        try (DatagramSocket socket = socket()) {
            closed = socket.getLocalPort();
        }
        int code = send("--to", "127.0.0.1:" + closed, "--rate", "2k", "--count", "200", "--json", "--tolerate", "100");
        assertThat(code).as(err.toString()).isZero();
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.get("sent").longValue()).isEqualTo(200);
        assertThat(json.get("refused").longValue()).isEqualTo(json.get("sent").longValue());
        assertThat(json.get("failed").longValue()).isZero();
        assertThat(err.toString()).contains("nothing listened on the port");
    }

    @Test
    void aSocketThatCannotBeOpenedIsToldInOneLine() {
        int code = send("--to", "255.255.255.255:5514");
        assertThat(code).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("millrace send: cannot open socket 1 of 1 to ")
                .hasLineCount(1);
    }
}
