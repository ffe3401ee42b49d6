package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Losses provoked one at a time, in a network namespace of the test's own: each is at its own place in the ledger, with its
 * number. A full socket buffer and a paused process are in {@link OverloadIT}, a full disk in {@link DiskFullIT}.
 */
@Tag("calm")
@Tag("once")
@Timeout(120)
@Tag("full")
class LossIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int COUNT = 25;

    /** Sends datagrams with an IP and a UDP header of its own, of which the checksum is wrong. */
    private static final String WRONG_CHECKSUM = """
            import socket, struct, sys
            port, count = int(sys.argv[1]), int(sys.argv[2])
            raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
            home = socket.inet_aton('127.0.0.1')
            payload = b'<13>spoiled on its way'
            for i in range(count):
                udp = struct.pack('!HHHH', 40000, port, 8 + len(payload), 0x1234) + payload
                ip = struct.pack('!BBHHHBBH4s4s', 0x45, 0, 20 + len(udp), i, 0, 64, 17, 0, home, home)
                raw.sendto(ip + udp, ('127.0.0.1', port))
            """;

    /** Sends datagrams of which the last fragment never comes. */
    private static final String MISSING_FRAGMENT = """
            import socket, struct, sys
            port, count = int(sys.argv[1]), int(sys.argv[2])
            raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
            home = socket.inet_aton('127.0.0.1')
            udp = struct.pack('!HHHH', 40000, port, 8 + 800, 0) + b'x' * 400
            for i in range(count):
                ip = struct.pack('!BBHHHBBH4s4s', 0x45, 0, 20 + len(udp), 1000 + i, 0x2000, 64, 17, 0, home, home)
                raw.sendto(ip + udp, ('127.0.0.1', port))
            """;

    @TempDir
    private Path data;

    @BeforeEach
    void needs() {
        Needs.root("send datagrams with headers of its own");
        Needs.program("python3");
        Needs.program("nsenter");
    }

    @Test
    void wrongChecksumsCountAsChecksumErrors() throws Exception {
        try (NetworkNamespace namespace = NetworkNamespace.create();
                Service service = Service.start(namespace.prefix(), data, "--transport", "epoll")) {
            python(namespace, WRONG_CHECKSUM, service.port(), COUNT);
            good(namespace, service.port(), 3);
            await().atMost(SOON).until(() -> Service.counter(data, Counter.JOURNALED_DATAGRAMS) == 3);
            service.stop();
            JsonNode ledger = ledger(namespace);
            assertThat(ledger.at("/hostWide/checksum").asLong()).isEqualTo(COUNT);
            assertClosed(ledger, 3);
            assertOthersAreZero(ledger, "checksum", "udpErrors");
        }
    }

    @Test
    void datagramsToAClosedPortCountThere() throws Exception {
        try (NetworkNamespace namespace = NetworkNamespace.create();
                Service service = Service.start(namespace.prefix(), data)) {
            good(namespace, 9, COUNT);
            good(namespace, service.port(), 3);
            await().atMost(SOON).until(() -> Service.counter(data, Counter.JOURNALED_DATAGRAMS) == 3);
            service.stop();
            JsonNode ledger = ledger(namespace);
            assertThat(ledger.at("/hostWide/noPort").asLong()).isEqualTo(COUNT);
            assertClosed(ledger, 3);
            assertOthersAreZero(ledger, "noPort");
        }
    }

    @Test
    void missingFragmentsCountAsFragments() throws Exception {
        try (NetworkNamespace namespace = NetworkNamespace.create()) {
            // The kernel gives fragments up after a second.
            sysctl(namespace, "net.ipv4.ipfrag_time=1");
            try (Service service = Service.start(namespace.prefix(), data)) {
                python(namespace, MISSING_FRAGMENT, service.port(), COUNT);
                await().atMost(SOON)
                        .pollInterval(Duration.ofSeconds(1))
                        .until(() -> ledger(namespace).at("/hostWide/fragments").asLong() == COUNT);
                good(namespace, service.port(), 3);
                await().atMost(SOON).until(() -> Service.counter(data, Counter.JOURNALED_DATAGRAMS) == 3);
                service.stop();
                JsonNode ledger = ledger(namespace);
                assertClosed(ledger, 3);
                assertOthersAreZero(ledger, "fragments");
            }
        }
    }

    @Test
    void smallBufferCountsAtTheSocket() throws Exception {
        try (NetworkNamespace namespace = NetworkNamespace.create();
                Service service = Service.start(namespace.prefix(), data, "--receive-buffer", "64k")) {
            service.process().signal("STOP");
            good(namespace, service.port(), 2000);
            service.process().signal("CONT");
            await().atMost(SOON).until(() -> Service.counter(data, DropReason.SOCKET_BUFFER.counter()) > 0);
            service.stop();
            JsonNode ledger = ledger(namespace);
            long received = ledger.get("received").asLong();
            long dropped = ledger.at("/dropped/socketBuffer").asLong();
            assertThat(received + dropped).isEqualTo(2000);
            assertThat(ledger.at("/hostWide/udpReceiveBuffer").asLong()).isEqualTo(dropped);
            assertClosed(ledger, received);
            assertOthersAreZero(ledger, "udpReceiveBuffer", "udpErrors");
        }
    }

    @Test
    void policyLossHasItsReason() throws Exception {
        Path config = Files.writeString(data.resolveSibling(data.getFileName() + ".yaml"), """
                policy:
                  deny: [127.0.0.2]
                  perSource: {datagrams: 10}
                """);
        try (NetworkNamespace namespace = NetworkNamespace.create();
                Service service = Service.start(namespace.prefix(), data, "--config", config.toString())) {
            send(namespace, "127.0.0.2", service.port(), COUNT);
            send(namespace, "127.0.0.3", service.port(), 1000);
            good(namespace, service.port(), 3);
            await().atMost(SOON).until(() -> Service.counter(data, Counter.RECEIVED_DATAGRAMS) == COUNT + 1003);
            service.stop();
            JsonNode ledger = ledger(namespace);
            assertThat(ledger.at("/dropped/denied").asLong()).isEqualTo(COUNT);
            assertThat(ledger.at("/dropped/rateLimited").asLong()).isBetween(1L, 990L);
            assertThat(ledger.get("journaled").asLong())
                    .isEqualTo(1003 - ledger.at("/dropped/rateLimited").asLong());
            assertClosed(ledger, COUNT + 1003);
            assertOthersAreZero(ledger);
        } finally {
            Files.delete(config);
        }
    }

    @Test
    void backlogOverrunCountsAtTheBacklog() throws Exception {
        Needs.that(
                Boolean.getBoolean("millrace.it.backlog"),
                "-Dmillrace.it.backlog=true, which lets it change netdev_max_backlog of the whole host for a moment");
        Path limit = Path.of("/proc/sys/net/core/netdev_max_backlog");
        // Not readString: it reads such a file byte by byte, and the kernel gives the first byte only.
        String before = Files.readAllLines(limit).get(0);
        try (NetworkNamespace namespace = NetworkNamespace.create()) {
            // Packets go to the backlog of the other CPU, which has room for one.
            Needs.that(Runtime.getRuntime().availableProcessors() > 1, "a second CPU");
            Needs.that(
                    namespaced(
                                    namespace,
                                    "unshare",
                                    "-m",
                                    "sh",
                                    "-c",
                                    "mount -t sysfs sysfs /sys && echo 2 > /sys/class/net/lo/queues/rx-0/rps_cpus")
                            == 0,
                    "packets cannot be steered to a CPU on this host (RPS)");
            try (Service service = Service.start(namespace.prefix(), data)) {
                Files.writeString(limit, "1");
                Forked sender = Forked.send(
                        namespace.prefix(),
                        "--to",
                        service.target(),
                        "--rate",
                        "400k",
                        "--count",
                        "400k",
                        "--run",
                        "b",
                        "--json");
                sender.awaitExit(SOON);
                Files.writeString(limit, before);
                long sent = new ObjectMapper()
                        .readTree(String.join("", sender.out()))
                        .get("sent")
                        .asLong();
                service.stop();
                JsonNode ledger = ledger(namespace);
                long lost = sent
                        - ledger.get("received").asLong()
                        - ledger.at("/dropped/socketBuffer").asLong();
                System.err.printf(
                        "LossIT: of %d sent, %d were lost before the socket; softnet says up to %d%n",
                        sent, lost, ledger.at("/hostWide/softnetBacklog").asLong());
                Needs.that(lost > 0, "the backlog did not overrun");
                // Others may use the network too while the limit is low: an upper bound, as it says.
                assertThat(ledger.at("/hostWide/softnetBacklog").asLong()).isGreaterThanOrEqualTo(lost);
                assertClosed(ledger, ledger.get("received").asLong());
            } finally {
                Files.writeString(limit, before);
            }
        }
    }

    /** The ledger as it is read inside the namespace, from the data directory. */
    private JsonNode ledger(NetworkNamespace namespace) throws Exception {
        try (Forked command = Forked.millrace(namespace.prefix(), "ledger", "--data", data.toString(), "--json")) {
            assertThat(command.awaitExit(SOON)).isZero();
            return new ObjectMapper().readTree(String.join("", command.out()));
        }
    }

    private static void assertClosed(JsonNode ledger, long received) {
        assertThat(ledger.get("received").asLong()).isEqualTo(received);
        assertThat(ledger.get("journaled").asLong()
                        + ledger.at("/dropped/denied").asLong()
                        + ledger.at("/dropped/rateLimited").asLong()
                        + ledger.get("crash").asLong()
                        + ledger.get("inFlight").asLong())
                .isEqualTo(received);
        assertThat(ledger.get("inFlight").asLong()).isZero();
    }

    /** The drop points that the kernel counts per namespace; those per CPU are for the whole host. */
    private static void assertOthersAreZero(JsonNode ledger, String... places) {
        for (String place : List.of(
                "nic",
                "nicDropped",
                "ipDiscards",
                "fragments",
                "checksum",
                "noPort",
                "udpMemory",
                "udpReceiveBuffer",
                "udpErrors")) {
            JsonNode value = ledger.get("hostWide").get(place);
            if (!List.of(places).contains(place) && !value.isNull()) {
                assertThat(value.asLong()).as(place).isZero();
            }
        }
        if (!List.of(places).contains("udpReceiveBuffer")) {
            assertThat(ledger.at("/dropped/socketBuffer").asLong()).isZero();
        }
        assertThat(ledger.at("/dropped/journalFull").asLong()).isZero();
    }

    private static void good(NetworkNamespace namespace, int port, int count) throws Exception {
        send(namespace, "127.0.0.1", port, count);
    }

    private static void send(NetworkNamespace namespace, String source, int port, int count) throws Exception {
        python(namespace, """
                import socket, sys
                udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                udp.bind(('SOURCE', 0))
                for i in range(int(sys.argv[2])):
                    udp.sendto(b'<13>arrives', ('127.0.0.1', int(sys.argv[1])))
                """.replace("SOURCE", source), port, count);
    }

    private static void python(NetworkNamespace namespace, String script, int port, int count) throws Exception {
        assertThat(namespaced(namespace, "python3", "-c", script, Integer.toString(port), Integer.toString(count)))
                .as("the sender's exit code")
                .isZero();
    }

    private static void sysctl(NetworkNamespace namespace, String setting) throws Exception {
        assertThat(namespaced(namespace, "sysctl", "-qw", setting)).isZero();
    }

    private static int namespaced(NetworkNamespace namespace, String... command)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(namespace.prefix());
        all.addAll(List.of(command));
        return new ProcessBuilder(all).inheritIO().start().waitFor();
    }
}
