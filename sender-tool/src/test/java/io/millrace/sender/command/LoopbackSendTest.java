package io.millrace.sender.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.sender.SendMain;
import io.millrace.sender.payload.PayloadPattern;
import io.millrace.sender.payload.PayloadSizes;
import io.millrace.sender.payload.SequencePayload;
import io.millrace.sender.pcap.CaptureBuilder;
import io.millrace.sender.run.SendResult;
import io.millrace.sender.run.SendRun;
import io.millrace.sender.run.WaitClock;
import io.millrace.sender.schedule.Rate;
import io.millrace.sender.schedule.SendPlan;
import io.millrace.sender.schedule.SourceLayout;
import io.millrace.sender.transmit.Endpoints;
import io.millrace.sender.transmit.GroupedTransmitter;
import io.millrace.sender.transmit.SocketApi;
import io.millrace.sender.transmit.Transmitter;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command over real sockets. The runs are short enough for the smallest receive buffer to hold all they send. */
class LoopbackSendTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int send(String... args) {
        return SendMain.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
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
    void everySequenceNumberArrivesOncePerSource() throws IOException {
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
    void jsonObjectHasTheResult() throws IOException {
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
                            "maxLateMicros",
                            "askedRate",
                            "missedSlots",
                            "errors",
                            "pattern",
                            "io",
                            "gso",
                            "batch",
                            "burst",
                            "threads",
                            "sourcesBy");
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
    void targetRateIsNullWithoutASchedule() throws IOException {
        try (DatagramSocket socket = socket()) {
            int code = send("--to", "127.0.0.1:" + socket.getLocalPort(), "--rate", "max", "--count", "50", "--json");
            assertThat(code).as(err.toString()).isZero();
            receive(socket, 50);
            JsonNode json = new ObjectMapper().readTree(out.toString());
            assertThat(json.get("targetRate").isNull()).isTrue();
            assertThat(json.get("late").longValue()).isZero();
            assertThat(err.toString()).contains("not limited");
        }
    }

    @Test
    void countsAClosedPortAndContinues() throws IOException {
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
    void reportsASocketThatCannotBeOpened() {
        int code = send("--to", "255.255.255.255:5514");
        assertThat(code).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("millrace send: cannot open socket 1 of 1 to ")
                .hasLineCount(1);
    }

    /** Sends and receives, and checks that each source's sequence numbers are there without a hole. */
    private List<DatagramPacket> sendNumbered(int count, int sources, String... more) throws IOException {
        try (DatagramSocket socket = socket()) {
            List<String> args = new ArrayList<>(List.of(
                    "--to=127.0.0.1:" + socket.getLocalPort(),
                    "--rate=max",
                    "--count=" + count,
                    "--sources=" + sources,
                    "--run=5eed",
                    "--json"));
            args.addAll(List.of(more));
            assertThat(send(args.toArray(new String[0]))).as(err.toString()).isZero();
            List<DatagramPacket> packets = receive(socket, count);
            Map<Integer, BitSet> seen = new HashMap<>();
            SequencePayload payload = new SequencePayload();
            for (DatagramPacket packet : packets) {
                assertThat(payload.find(packet.getData(), 0, packet.getLength(), 0x5eed))
                        .isTrue();
                BitSet sequences = seen.computeIfAbsent(payload.source(), source -> new BitSet());
                assertThat(sequences.get(Math.toIntExact(payload.sequence()))).isFalse();
                sequences.set(Math.toIntExact(payload.sequence()));
            }
            assertThat(seen).hasSize(Math.min(sources, count));
            int distinct = 0;
            for (BitSet sequences : seen.values()) {
                assertThat(sequences.nextClearBit(0)).isEqualTo(sequences.cardinality());
                distinct += sequences.cardinality();
            }
            assertThat(distinct).isEqualTo(count);
            return packets;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "epoll"})
    void eachSocketApiSendsEveryDatagram(String io) throws IOException {
        assumeTrue(io.equals("nio") || Epoll.isAvailable());
        sendNumbered(100, 7, "--io=" + io);
        assertThat(new ObjectMapper().readTree(out.toString()).get("io").textValue())
                .isEqualTo(io);
    }

    @Test
    void threadsShareTheScheduleWithoutGaps() throws IOException {
        sendNumbered(103, 7, "--threads=3");
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.get("threads").intValue()).isEqualTo(3);
        assertThat(json.get("sent").intValue()).isEqualTo(103);
    }

    @Test
    void kernelSplitsGsoBatches() throws IOException {
        assumeTrue(Epoll.isAvailable());
        List<DatagramPacket> packets = sendNumbered(100, 3, "--gso=16", "--size=125", "--tolerate=100");
        Set<Integer> ports = new HashSet<>();
        for (DatagramPacket packet : packets) {
            assertThat(packet.getLength()).isEqualTo(125);
            ports.add(packet.getPort());
            String text = new String(packet.getData(), 0, 125, US_ASCII);
            assertThat(text.substring(32)).isEqualTo(SequencePayload.padding(125));
        }
        assertThat(ports).hasSize(3);
        assertThat(new ObjectMapper().readTree(out.toString()).get("gso").intValue())
                .isEqualTo(16);
        assertThat(err.toString()).contains("GSO batches of 16 datagrams");
    }

    @Test
    void sourcesHaveTheirOwnAddresses() throws IOException {
        Set<InetAddress> addresses = new HashSet<>();
        for (DatagramPacket packet : sendNumbered(20, 20, "--source-net=127.7.0.0/16")) {
            addresses.add(packet.getAddress());
        }
        assertThat(addresses)
                .hasSize(20)
                .contains(InetAddress.getByName("127.7.0.1"), InetAddress.getByName("127.7.0.20"));
    }

    @Test
    void distributesSourcesOverTargets() throws IOException {
        try (DatagramSocket even = socket();
                DatagramSocket odd = socket()) {
            String first = "--to=127.0.0.1:" + even.getLocalPort();
            String second = "--to=127.0.0.1:" + odd.getLocalPort();
            assertThat(send(first, second, "--rate=max", "--count=60", "--sources=6"))
                    .as(err.toString())
                    .isZero();
            SequencePayload payload = new SequencePayload();
            for (DatagramPacket packet : receive(even, 30)) {
                assertThat(payload.decode(packet.getData(), 0, packet.getLength()))
                        .isTrue();
                assertThat(payload.source() % 2).isZero();
            }
            for (DatagramPacket packet : receive(odd, 30)) {
                assertThat(payload.decode(packet.getData(), 0, packet.getLength()))
                        .isTrue();
                assertThat(payload.source() % 2).isOne();
            }
        }
    }

    @Test
    void everyPatternArrivesWithItsIdentity() throws IOException {
        for (String pattern : List.of("rfc5424", "rfc3164", "cisco", "mixed")) {
            out.getBuffer().setLength(0);
            sendNumbered(50, 2, "--pattern=" + pattern, "--seed=7");
            assertThat(new ObjectMapper()
                            .readTree(out.toString())
                            .get("pattern")
                            .textValue())
                    .isEqualTo(pattern);
        }
    }

    @Test
    void groupedSourcesSendWithoutGaps() throws IOException {
        try (DatagramSocket socket = socket()) {
            InetSocketAddress to = new InetSocketAddress(LOOPBACK, socket.getLocalPort());
            SendPlan plan = SendPlan.ofCount(Rate.MAX, 30, new SourceLayout(8, 1, 1, 1, 3), 9);
            Transmitter grouped = new GroupedTransmitter(SocketApi.NIO, new Endpoints(List.of(to), 8, null), 3);
            try (grouped) {
                SendResult result = new SendRun(
                                plan,
                                () -> PayloadPattern.SEQUENCE.payloads(PayloadSizes.of(40), 1, 9),
                                grouped,
                                WaitClock.SYSTEM)
                        .run();
                assertThat(result.counts().sent).isEqualTo(30);
            }
            Map<Integer, Integer> next = new HashMap<>();
            Map<Integer, Integer> ports = new HashMap<>();
            SequencePayload payload = new SequencePayload();
            for (DatagramPacket packet : receive(socket, 30)) {
                assertThat(payload.decode(packet.getData(), 0, packet.getLength()))
                        .isTrue();
                assertThat(payload.sequence()).isEqualTo(next.merge(payload.source(), 1, Integer::sum) - 1);
                assertThat(ports.computeIfAbsent(payload.source(), source -> packet.getPort()))
                        .isEqualTo(packet.getPort());
            }
            assertThat(next).containsOnlyKeys(0, 1, 2, 3, 4, 5, 6, 7);
            assertThat(next.get(5)).isEqualTo(4);
            assertThat(next.get(6)).isEqualTo(3);
        }
    }

    @Test
    void countsRefusalsOfClosedGroups() throws IOException {
        int closed;
        try (DatagramSocket socket = socket()) {
            closed = socket.getLocalPort();
        }
        Endpoints endpoints = new Endpoints(List.of(new InetSocketAddress(LOOPBACK, closed)), 4, null);
        SendPlan plan = SendPlan.ofCount(Rate.MAX, 12, new SourceLayout(4, 1, 1, 1, 2), 9);
        try (Transmitter grouped = new GroupedTransmitter(SocketApi.AUTO.resolve(), endpoints, 2)) {
            SendResult result = new SendRun(
                            plan,
                            () -> PayloadPattern.SEQUENCE.payloads(PayloadSizes.of(40), 1, 9),
                            grouped,
                            WaitClock.SYSTEM)
                    .run();
            assertThat(result.counts().sent).isEqualTo(12);
            assertThat(result.counts().refused).isEqualTo(12);
            assertThat(result.counts().errors).containsEntry("ECONNREFUSED", 12L);
        }
    }

    @ParameterizedTest
    @CsvSource({"newline, 0, 1", "octet-counting, 4, 0"})
    void batchesOnConnectionsAreSingleMessages(String framing, int before, int after) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            int code = send(
                    "--to=tcp://127.0.0.1:" + server.getLocalPort(),
                    "--framing=" + framing,
                    "--sources=2",
                    "--count=100",
                    "--rate=max",
                    "--batch=16",
                    "--json");
            assertThat(code).as(err.toString()).isZero();
            int total = 0;
            for (int source = 0; source < 2; source++) {
                try (Socket socket = server.accept()) {
                    byte[] bytes = socket.getInputStream().readAllBytes();
                    int length = before + 125 + after;
                    assertThat(bytes.length % length).isZero();
                    for (int n = 0; n < bytes.length / length; n++) {
                        String frame = new String(bytes, n * length, length, US_ASCII);
                        assertThat(frame)
                                .startsWith("125 ".substring(0, before))
                                .endsWith("\n".substring(0, after));
                        // The sequence number of the identity.
                        assertThat(Integer.parseInt(frame.substring(before + 15, before + 23), 16))
                                .isEqualTo(n);
                    }
                    total += bytes.length / length;
                }
            }
            assertThat(total).isEqualTo(100);
        }
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.get("batch").intValue()).isEqualTo(16);
        assertThat(json.get("gso").intValue()).isEqualTo(1);
        assertThat(err.toString()).contains("connections, writes of 16 messages");
    }

    @Test
    void sendsTheLinesOfAFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("lines"), "one\ntwo\nthree");
        try (DatagramSocket socket = socket()) {
            int code = send(
                    "--to=127.0.0.1:" + socket.getLocalPort(), "--file=" + file, "--count=7", "--rate=max", "--json");
            assertThat(code).as(err.toString()).isZero();
            assertThat(receive(socket, 7).stream()
                            .map(packet -> new String(packet.getData(), 0, packet.getLength(), US_ASCII)))
                    .containsExactly("one", "two", "three", "one", "two", "three", "one");
            JsonNode json = new ObjectMapper().readTree(out.toString());
            assertThat(json.get("bytes").longValue()).isEqualTo(25);
            assertThat(json.get("size").isNull()).isTrue();
            assertThat(json.get("pattern").textValue()).isEqualTo("file");
        }
    }

    @Test
    void replaysACaptureOnceWithItsRecordedTimes(@TempDir Path folder) throws IOException {
        CaptureBuilder capture = new CaptureBuilder(ByteOrder.LITTLE_ENDIAN).pcap(0xa1b2c3d4, 101);
        for (int n = 0; n < 5; n++) {
            byte[] packet = CaptureBuilder.ipv4(17, 0, CaptureBuilder.udp("payload " + n));
            capture.record(1000, 10_000 * n, packet, packet.length);
        }
        byte[] fragment = CaptureBuilder.ipv4(17, 1, new byte[20]);
        capture.record(1000, 60_000, fragment, fragment.length);
        Path file = Files.write(folder.resolve("capture"), capture.bytes());
        for (String io : Epoll.isAvailable() ? List.of("nio", "epoll") : List.of("nio")) {
            out.getBuffer().setLength(0);
            try (DatagramSocket socket = socket()) {
                String to = "--to=127.0.0.1:" + socket.getLocalPort();
                int code = send(to, "--pcap=" + file, "--json", "--tolerate=100", "--io=" + io);
                assertThat(code).as(err.toString()).isZero();
                assertThat(receive(socket, 5).stream()
                                .map(packet -> new String(packet.getData(), 0, packet.getLength(), US_ASCII)))
                        .containsExactly("payload 0", "payload 1", "payload 2", "payload 3", "payload 4");
                JsonNode json = new ObjectMapper().readTree(out.toString());
                assertThat(json.get("sent").intValue()).isEqualTo(5);
                assertThat(json.get("targetRate").doubleValue()).isEqualTo(100);
                assertThat(json.get("elapsedSeconds").doubleValue()).isGreaterThanOrEqualTo(0.05);
                assertThat(err.toString()).contains("0 packets that are not UDP, 1 fragment, 0 truncated packets");
            }
        }
    }

    @Test
    void recordedSourcesKeepTheirMessages(@TempDir Path folder) throws IOException {
        CaptureBuilder capture = new CaptureBuilder(ByteOrder.LITTLE_ENDIAN).pcap(0xa1b2c3d4, 101);
        for (int n = 0; n < 9; n++) {
            byte[] packet = CaptureBuilder.ipv4(17, 0, CaptureBuilder.udp("payload " + n));
            // The last byte of the source address.
            packet[15] = (byte) (n < 6 ? n % 2 : 2);
            capture.record(1000, 1_000 * n, packet, packet.length);
        }
        Path file = Files.write(folder.resolve("capture"), capture.bytes());
        try (DatagramSocket socket = socket()) {
            String to = "--to=127.0.0.1:" + socket.getLocalPort();
            assertThat(send(to, "--pcap=" + file, "--tolerate=100")).isZero();
            Map<String, List<String>> bySource = receive(socket, 9).stream()
                    .collect(Collectors.groupingBy(
                            packet -> packet.getAddress().getHostAddress(),
                            TreeMap::new,
                            Collectors.mapping(
                                    packet -> new String(packet.getData(), 8, packet.getLength() - 8, US_ASCII),
                                    Collectors.toList())));
            assertThat(bySource)
                    .containsOnly(
                            Map.entry("127.0.0.1", List.of("0", "2", "4")),
                            Map.entry("127.0.0.2", List.of("1", "3", "5")),
                            Map.entry("127.0.0.3", List.of("6", "7", "8")));
            assertThat(send(to, "--pcap=" + file, "--tolerate=100", "--sources=1"))
                    .isZero();
            assertThat(receive(socket, 9).stream()
                            .map(DatagramPacket::getSocketAddress)
                            .distinct())
                    .hasSize(1);
        }
    }

    @Test
    void aJournalIsReadByTheScript(@TempDir Path folder) throws IOException {
        byte[] packet = CaptureBuilder.ipv4(17, 0, CaptureBuilder.udp("journaled"));
        byte[] capture = new CaptureBuilder(ByteOrder.BIG_ENDIAN)
                .pcap(0xa1b2c3d4, 101)
                .record(1, 0, packet, packet.length)
                .bytes();
        Path file = Files.write(folder.resolve("capture"), capture);
        Path script = Files.writeString(
                folder.resolve("millrace"),
                "#!/bin/sh\n[ \"$*\" = 'read --data /data --order time --format pcap' ] && cat " + file);
        assertThat(script.toFile().setExecutable(true)).isTrue();
        try (DatagramSocket socket = socket()) {
            String to = "--to=127.0.0.1:" + socket.getLocalPort();
            assertThat(send(to, "--replay=/data")).isEqualTo(1);
            assertThat(err.toString()).contains("--replay needs the script millrace");
            System.setProperty("millrace.script", script.toString());
            try {
                assertThat(send(to, "--replay=/data")).isZero();
                assertThat(receive(socket, 1).get(0).getLength()).isEqualTo("journaled".length());
                assertThat(send(to, "--replay=/other")).isEqualTo(1);
                assertThat(err.toString()).contains("the journal in /other could not be read (exit code 1)");
            } finally {
                System.clearProperty("millrace.script");
            }
        }
    }

    @Test
    void emptyPayloadIsSentOrCountedAsFailed(@TempDir Path folder) throws IOException {
        byte[] packet = CaptureBuilder.ipv4(17, 0, CaptureBuilder.udp(""));
        byte[] capture = new CaptureBuilder(ByteOrder.BIG_ENDIAN)
                .pcap(0xa1b2c3d4, 101)
                .record(1, 0, packet, packet.length)
                .bytes();
        Path file = Files.write(folder.resolve("capture"), capture);
        try (DatagramSocket socket = socket()) {
            String to = "--to=127.0.0.1:" + socket.getLocalPort();
            assertThat(send(to, "--pcap=" + file, "--io=nio")).isEqualTo(1);
            assertThat(err.toString()).contains("1 datagram could not be sent").contains("--io epoll can");
            assumeTrue(Epoll.isAvailable());
            assertThat(send(to, "--pcap=" + file, "--io=epoll")).isZero();
            assertThat(receive(socket, 1).get(0).getLength()).isZero();
        }
    }
}
