package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.millrace.journal.JournalCursor;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of all transports, with both threadings, on real sockets. */
public abstract class TransportContract {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int MAX_DATAGRAM = 8192;

    @TempDir
    Path directory;

    /** Name of the transport. */
    protected abstract String transport();

    /** True if its sockets are Netty's: they support steering, and can reject datagrams after the stop. */
    protected abstract boolean isOnEpoll();

    private CollectorBuilder builder(Threading threading) {
        return Collector.builder()
                .journal(directory.resolve("data"))
                .transport(transport())
                .threading(threading)
                .receivers(1)
                .maxDatagram(MAX_DATAGRAM)
                .receiveBuffer(1 << 20);
    }

    /** If IPv6 is disabled, the file may exist and be empty. */
    private static boolean hasIpv6() throws IOException {
        Path interfaces = Path.of("/proc/net/if_inet6");
        return Files.exists(interfaces) && Files.readString(interfaces).contains(" lo\n");
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "DEDICATED"})
    void journalsEverySizeFromBothFamilies(Threading threading) throws IOException {
        assumeThat(hasIpv6()).describedAs("this host has no IPv6").isTrue();
        try (Collector collector = builder(threading)
                        .listen("dual", new InetSocketAddress("::", 0))
                        .build()
                        .start();
                DatagramSocket socket = new DatagramSocket()) {
            int port = collector.addresses().get(0).getPort();
            for (String host : List.of("127.0.0.1", "::1")) {
                for (int size : new int[] {0, 1, 125, MAX_DATAGRAM, MAX_DATAGRAM + 1, 65_507}) {
                    send(socket, host, port, "x".repeat(size));
                }
            }
            List<Received> all = awaitDatagrams(collector, 12);
            assertThat(all.stream().map(Received::length))
                    .containsExactly(
                            0,
                            1,
                            125,
                            MAX_DATAGRAM,
                            MAX_DATAGRAM,
                            MAX_DATAGRAM,
                            0,
                            1,
                            125,
                            MAX_DATAGRAM,
                            MAX_DATAGRAM,
                            MAX_DATAGRAM);
            assertThat(all.stream().filter(Received::truncated)).hasSize(4);
            assertThat(all.subList(0, 6)).allMatch(it -> it.source().equals("127.0.0.1"));
            assertThat(all.subList(6, 12)).allMatch(it -> it.source().startsWith("0:0:0:0:0:0:0:1"));
            assertThat(all).allMatch(it -> it.port() == socket.getLocalPort());
            assertLedgerCloses(collector, 12);
            assertThat(collector.ledger().truncated()).isEqualTo(4);
        }
    }

    @Test
    void journalsTheLongestDatagram() throws IOException {
        try (Collector collector = Collector.builder()
                        .journal(directory.resolve("data"))
                        .transport(transport())
                        .listen("it", loopback())
                        .build()
                        .start();
                DatagramSocket socket = new DatagramSocket()) {
            String text = "0123456789".repeat(6551).substring(0, 65_507);
            for (int i = 0; i < 5; i++) {
                send(socket, "127.0.0.1", collector.addresses().get(0).getPort(), text);
                Received received = awaitDatagrams(collector, i + 1).get(i);
                assertThat(received.text()).isEqualTo(text);
                assertThat(received.truncated()).isFalse();
            }
        }
    }

    @Test
    void interruptedCloseLosesNothing() throws IOException {
        Collector collector =
                builder(Threading.DEDICATED).listen("it", loopback()).build().start();
        try (collector;
                DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < 500; i++) {
                send(socket, "127.0.0.1", collector.addresses().get(0).getPort(), "datagram " + i);
            }
            Thread.currentThread().interrupt();
        }
        assertThat(Thread.interrupted()).isTrue();
        Ledger ledger = collector.ledger();
        assertThat(ledger.received() + ledger.dropped(DropReason.SOCKET_BUFFER)).isEqualTo(500);
        assertThat(ledger.journaled()).isEqualTo(ledger.received());
    }

    @Test
    void interruptDuringCloseIsDeferred() throws IOException {
        Collector collector = builder(Threading.SHARED)
                .stopLinger(Duration.ofMillis(500))
                .listen("it", loopback())
                .build()
                .start();
        Thread closing = Thread.currentThread();
        Thread interrupting = new Thread(() -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            closing.interrupt();
        });
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < 100; i++) {
                send(socket, "127.0.0.1", collector.addresses().get(0).getPort(), "datagram " + i);
            }
            interrupting.start();
            collector.close();
        }
        await().until(() -> !interrupting.isAlive());
        // A transport that cannot reject does not linger, so the close may end first.
        assertThat(Thread.interrupted()).isTrue();
        Ledger ledger = collector.ledger();
        assertThat(ledger.received() + ledger.dropped(DropReason.SOCKET_BUFFER)).isEqualTo(100);
        assertThat(ledger.journaled()).isEqualTo(ledger.received());
    }

    @Test
    void keepsTheScopeOfALinkLocalSource() throws IOException {
        Inet6Address address = linkLocal();
        assumeThat(address)
                .describedAs("no interface here has a link-local IPv6 address")
                .isNotNull();
        try (Collector collector = builder(Threading.SHARED)
                        .listen("v6", new InetSocketAddress("::", 0))
                        .build()
                        .start();
                DatagramSocket socket = new DatagramSocket(new InetSocketAddress(address, 0))) {
            byte[] payload = {1};
            socket.send(new DatagramPacket(
                    payload,
                    1,
                    new InetSocketAddress(address, collector.addresses().get(0).getPort())));
            assertThat(awaitDatagrams(collector, 1).get(0).source()).contains("%");
        }
    }

    @Test
    void severalInputsKeepTheirNames() throws IOException {
        try (Collector collector = builder(Threading.SHARED)
                        .listen("hosts", loopback())
                        .listen("switches", loopback())
                        .build()
                        .start();
                DatagramSocket socket = new DatagramSocket()) {
            send(socket, "127.0.0.1", collector.addresses().get(1).getPort(), "from a switch");
            send(socket, "127.0.0.1", collector.addresses().get(0).getPort(), "from a host");
            List<Received> all = awaitDatagrams(collector, 2);
            assertThat(all).extracting(Received::input).containsExactlyInAnyOrder("switches", "hosts");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "DEDICATED"})
    void severalReceiversShareAPortAndLoseNothing(Threading threading) throws IOException {
        try (Collector collector = builder(threading)
                .listen("shared", loopback())
                .receivers(3)
                .build()
                .start()) {
            int port = collector.addresses().get(0).getPort();
            for (int source = 0; source < 32; source++) {
                try (DatagramSocket socket = new DatagramSocket()) {
                    for (int i = 0; i < 10; i++) {
                        send(socket, "127.0.0.1", port, source + ":" + i);
                    }
                }
            }
            List<Received> all = awaitDatagrams(collector, 320);
            assertThat(all.stream().map(Received::text).distinct()).hasSize(320);
            assertThat(all.stream().map(Received::shard).distinct()).hasSizeGreaterThan(1);
            assertLedgerCloses(collector, 320);
        }
    }

    @ParameterizedTest
    @EnumSource(Steering.class)
    void steeringSelectsTheReceiverOfASource(Steering steering) throws IOException {
        assumeThat(isOnEpoll()).describedAs("it cannot be steered").isTrue();
        int sent = 4000;
        try (Collector collector = builder(Threading.SHARED)
                        .listen("shared", loopback())
                        .receivers(2)
                        .receiveBuffer(16 << 20)
                        .steering(steering)
                        .build()
                        .start();
                DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < sent; i++) {
                send(socket, "127.0.0.1", collector.addresses().get(0).getPort(), "datagram " + i);
                if (i % 100 == 99) {
                    long soFar = i + 1L;
                    await().pollInterval(Duration.ofMillis(1))
                            .until(() -> collector.ledger().received() == soFar);
                }
            }
            List<Received> all = awaitDatagrams(collector, sent);
            long first = all.stream().filter(received -> received.shard() == 0).count();
            assertLedgerCloses(collector, sent);
            switch (steering) {
                case HASH -> assertThat(first).isIn(0L, (long) sent);
                case SPREAD -> assertThat(first).isBetween((long) (sent * 0.45), (long) (sent * 0.55));
                case CPU ->
                    assertThat(all.stream().map(Received::text).distinct()).hasSize(sent);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "DEDICATED"})
    void policyRejectionsAreCountedByReason(Threading threading) throws IOException {
        CollectorBuilder builder = builder(threading)
                .listen("it", loopback())
                .policy(PolicySettings.builder()
                        .deny("127.0.0.2")
                        .limitSources(new RateLimit(20, 0))
                        .limitNetworks(new RateLimit(0, 1 << 20), 24, 64)
                        .build());
        try (Collector collector = builder.build().start();
                DatagramSocket good = from("127.0.0.1");
                DatagramSocket denied = from("127.0.0.2");
                DatagramSocket loud = from("127.0.0.3")) {
            int port = collector.addresses().get(0).getPort();
            for (int i = 0; i < 200; i++) {
                send(loud, "127.0.0.1", port, "loud " + i);
                send(denied, "127.0.0.1", port, "denied " + i);
                if (i % 20 == 0) {
                    send(good, "127.0.0.1", port, "good " + i);
                }
            }
            await().atMost(SOON)
                    .until(() -> collector.ledger().received() == 410
                            && collector.ledger().inFlight() == 0);
            Ledger ledger = collector.ledger();
            assertThat(ledger.dropped(DropReason.SOCKET_BUFFER)).isZero();
            assertThat(ledger.dropped(DropReason.DENIED)).isEqualTo(200);
            assertThat(ledger.dropped(DropReason.RATE_LIMITED)).isPositive();
            assertThat(ledger.journaled())
                    .isEqualTo(210 - ledger.dropped(DropReason.RATE_LIMITED))
                    .isGreaterThanOrEqualTo(30);
            List<Received> all = awaitDatagrams(collector, (int) ledger.journaled());
            assertThat(all)
                    .hasSize((int) ledger.journaled())
                    .noneMatch(it -> it.source().equals("127.0.0.2"));
            assertThat(all.stream().filter(it -> it.port() == good.getLocalPort()))
                    .hasSize(10);
            assertThat(all.stream()
                            .filter(it -> it.port() == loud.getLocalPort())
                            .limit(20))
                    .extracting(Received::text)
                    .isEqualTo(IntStream.range(0, 20).mapToObj(i -> "loud " + i).toList());
        }
        try (Collector next = builder.build().start()) {
            Ledger.Lifetime lifetime = next.ledger().lifetime();
            assertThat(lifetime.received()).isEqualTo(410);
            assertThat(lifetime.dropped(DropReason.CRASH)).isZero();
            assertThat(lifetime.dropped(DropReason.DENIED)).isEqualTo(200);
            assertThat(next.ledger().dropped(DropReason.DENIED)).isZero();
            assertThat(next.ledger().inFlight()).isZero();
        }
    }

    @Test
    void sourceHasOneLimitAcrossReceivers() throws IOException {
        try (Collector collector = builder(Threading.SHARED)
                .listen("shared", loopback())
                .receivers(3)
                .policy(PolicySettings.builder()
                        .limitSources(new RateLimit(1, 0))
                        .build())
                .build()
                .start()) {
            for (int i = 0; i < 64; i++) {
                try (DatagramSocket socket = from("127.0.0.1")) {
                    send(socket, "127.0.0.1", collector.addresses().get(0).getPort(), "from another port");
                }
            }
            await().atMost(SOON)
                    .until(() -> collector.ledger().received() == 64
                            && collector.ledger().inFlight() == 0);
            // One at once, one per second of the test, and one per receiver that asked at the same moment.
            assertThat(collector.ledger().journaled()).isBetween(1L, 20L);
            assertThat(collector.ledger().dropped(DropReason.RATE_LIMITED)).isGreaterThanOrEqualTo(44);
        }
    }

    @Test
    void policyIsReplacedUnderLoad() throws IOException {
        try (Collector collector = builder(Threading.DEDICATED)
                        .listen("it", loopback())
                        .build()
                        .start();
                DatagramSocket good = from("127.0.0.1");
                DatagramSocket other = from("127.0.0.2")) {
            int port = collector.addresses().get(0).getPort();
            long received = 0;
            for (String denied : List.of("127.0.0.9", "127.0.0.2", "127.0.0.9")) {
                collector.setPolicy(PolicySettings.builder().deny(denied).build());
                for (int i = 0; i < 10; i++) {
                    send(good, "127.0.0.1", port, "good");
                    send(other, "127.0.0.1", port, "other");
                }
                received += 20;
                long all = received;
                await().atMost(SOON).until(() -> collector.ledger().received() == all);
            }
            collector.setPolicy(PolicySettings.NONE);
            send(other, "127.0.0.1", port, "last");
            await().atMost(SOON).until(() -> collector.ledger().journaled() == 51);
            assertThat(collector.ledger().dropped(DropReason.DENIED)).isEqualTo(10);
            assertThat(collector.ledger().inFlight()).isZero();
        }
    }

    private static DatagramSocket from(String address) throws IOException {
        return new DatagramSocket(new InetSocketAddress(InetAddress.getByName(address), 0));
    }

    @Test
    void portInUseIsAnErrorEvenIfShared() throws IOException {
        try (Collector first = builder(Threading.SHARED)
                .listen("it", loopback())
                .receivers(2)
                .build()
                .start()) {
            Collector second = builder(Threading.SHARED)
                    .journal(directory.resolve("second"))
                    .listen("it", first.addresses().get(0))
                    .receivers(2)
                    .build();
            assertThatThrownBy(second::start)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "127.0.0.1:" + first.addresses().get(0).getPort())
                    .hasMessageContaining("address already in use")
                    .hasMessageContaining("ss -lunp");
        }
    }

    @Test
    void socketBufferDropsAreCountedExactly() throws IOException {
        int sent = 20_000;
        Ledger ledger;
        Collector collector = builder(Threading.SHARED)
                .listen("small", loopback())
                .receiveBuffer(8192)
                .build()
                .start();
        try (collector;
                DatagramSocket socket = new DatagramSocket()) {
            int port = collector.addresses().get(0).getPort();
            for (int i = 0; i < sent; i++) {
                send(socket, "127.0.0.1", port, "x".repeat(1000));
            }
            await().atMost(SOON).until(() -> accounted(collector.ledger()) == sent);
        }
        ledger = collector.ledger();
        assertThat(ledger.received() + ledger.dropped(DropReason.SOCKET_BUFFER)).isEqualTo(sent);
        assertThat(ledger.journaled()).isEqualTo(ledger.received());
        assertThat(ledger.inFlight()).isZero();
    }

    @Test
    void stopDrainsTheSockets() throws IOException {
        Collector collector = builder(Threading.DEDICATED)
                .listen("it", loopback())
                .receivers(2)
                .receiveBuffer(16 << 20)
                .build()
                .start();
        int sent = 0;
        try (collector;
                DatagramSocket socket = new DatagramSocket()) {
            int port = collector.addresses().get(0).getPort();
            for (; sent < 5000; sent++) {
                send(socket, "127.0.0.1", port, "datagram " + sent);
            }
        }
        Ledger ledger = collector.ledger();
        assertThat(ledger.received() + ledger.dropped(DropReason.SOCKET_BUFFER)).isEqualTo(sent);
        assertThat(ledger.journaled()).isEqualTo(ledger.received()).isPositive();
        assertThat(ledger.inFlight()).isZero();
        collector.close();
    }

    private long accounted(Ledger ledger) {
        Long drops = ledger.dropped(DropReason.SOCKET_BUFFER);
        assertThat(drops).describedAs("drops can be read").isNotNull();
        return ledger.journaled() + drops;
    }

    @Test
    void datagramsAfterTheStopAreCounted() throws Exception {
        assumeThat(isOnEpoll()).describedAs("it cannot refuse").isTrue();
        Collector collector = Collector.builder()
                .journal(directory.resolve("data"))
                .transport(transport())
                .listen("it", loopback())
                .receivers(2)
                .stopLinger(Duration.ofSeconds(2))
                .build()
                .start();
        int port = collector.addresses().get(0).getPort();
        Thread stop = new Thread(() -> {
            try {
                collector.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        int sent = 0;
        try (DatagramSocket socket = new DatagramSocket()) {
            long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < 600_000_000L) {
                send(socket, "127.0.0.1", port, "x");
                sent++;
                if (sent == 100) {
                    stop.start();
                }
            }
        }
        stop.join();
        Ledger ledger = collector.ledger();
        assertThat(ledger.dropped(DropReason.AFTER_STOP)).isPositive();
        assertThat(ledger.received() + ledger.dropped(DropReason.SOCKET_BUFFER) + ledger.dropped(DropReason.AFTER_STOP))
                .isEqualTo(sent);
        assertThat(ledger.journaled()).isEqualTo(ledger.received());
    }

    /** A datagram as it was read back. */
    private record Received(
            int shard, String input, String source, int port, int length, boolean truncated, String text) {}

    private static List<Received> awaitDatagrams(Collector collector, int count) throws IOException {
        List<Received> all = new ArrayList<>();
        try (JournalCursor cursor = collector.journal().cursor().open()) {
            await().atMost(SOON).until(() -> {
                while (cursor.poll((datagram, position) -> {
                            String input;
                            try {
                                input = collector.journal().meta().inputName(datagram.input());
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                            all.add(new Received(
                                    position.shard(),
                                    input,
                                    datagram.sourceAddress().getHostAddress(),
                                    datagram.sourcePort(),
                                    datagram.payloadLength(),
                                    datagram.isTruncated(),
                                    datagram.payloadText()));
                        })
                        > 0) {
                    // All there is.
                }
                return all.size() >= count;
            });
        }
        return all;
    }

    /** Checks that sent = received = journaled, with nothing dropped or in flight. */
    private static void assertLedgerCloses(Collector collector, long sent) {
        await().atMost(SOON).until(() -> collector.ledger().inFlight() == 0);
        Ledger ledger = collector.ledger();
        assertThat(ledger.received()).isEqualTo(sent);
        assertThat(ledger.journaled()).isEqualTo(sent);
        assertThat(ledger.dropped(DropReason.SOCKET_BUFFER)).isZero();
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static void send(DatagramSocket socket, String host, int port, String text) throws IOException {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        socket.send(
                new DatagramPacket(payload, payload.length, new InetSocketAddress(InetAddress.getByName(host), port)));
    }

    private static Inet6Address linkLocal() throws IOException {
        for (NetworkInterface nic : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(nic.getInetAddresses())) {
                if (address instanceof Inet6Address v6 && v6.isLinkLocalAddress()) {
                    return v6;
                }
            }
        }
        return null;
    }
}
