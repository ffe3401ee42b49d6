package io.millrace.bench.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of all reference receivers: each received datagram is one line in the file. */
@SuppressWarnings("try") // Close is what is tested.
class ReferenceReceiverContractTest {
    private static final int DATAGRAMS = 4000;
    private static final int MAX_LENGTH = 1400;
    private static final int RECEIVE_BUFFER = 4 << 20;
    /** So few datagrams in flight fit every receive buffer. */
    private static final int MAX_IN_FLIGHT = 40;

    private static final long TIMEOUT_NS = 20_000_000_000L;

    private static final String SYSLOG_HEADER = "<13>1 2026-11-21T10:00:00Z host tag - - - ";
    private static final String SYSLOG_LINE = "2026-11-21T10:00:00Z host tag 13 ";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(ReferenceReceivers.class)
    void writesEachDatagramAsALine(ReferenceReceivers which) throws IOException {
        List<byte[]> payloads = randomPayloads();
        try (ReferenceReceiver receiver = open(which);
                DatagramSocket sender = new DatagramSocket()) {
            receiver.start();
            for (int i = 0; i < payloads.size(); i++) {
                send(sender, receiver, datagram(which, payloads.get(i)));
                awaitReceived(receiver, i + 1 - MAX_IN_FLIGHT);
            }
            awaitReceived(receiver, DATAGRAMS);
            receiver.close();
            assertThat(receiver.received()).isEqualTo(DATAGRAMS);
            assertThat(receiver.written()).isEqualTo(DATAGRAMS);
            assertThat(receiver.errors()).isZero();
        }
        assertFileHolds(which, payloads);
    }

    @ParameterizedTest
    @EnumSource(ReferenceReceivers.class)
    void drainsTheSocketAtTheStop(ReferenceReceivers which) throws IOException {
        List<byte[]> payloads = randomPayloads().subList(0, MAX_IN_FLIGHT);
        try (ReferenceReceiver receiver = open(which);
                DatagramSocket sender = new DatagramSocket()) {
            for (byte[] payload : payloads) {
                send(sender, receiver, datagram(which, payload));
            }
            receiver.start();
            receiver.close();
            receiver.close();
            assertThat(receiver.received()).isEqualTo(payloads.size());
            assertThat(receiver.written()).isEqualTo(payloads.size());
        }
        assertFileHolds(which, payloads);
    }

    @ParameterizedTest
    @EnumSource(ReferenceReceivers.class)
    void truncatesLongDatagrams(ReferenceReceivers which) throws IOException {
        byte[] tooLong = new byte[ReferenceSettings.DEFAULT_MAX_DATAGRAM_BYTES + 100];
        Arrays.fill(tooLong, (byte) 'x');
        byte[] datagram = datagram(which, tooLong);
        int header = datagram.length - tooLong.length;
        try (ReferenceReceiver receiver = open(which);
                DatagramSocket sender = new DatagramSocket()) {
            receiver.start();
            send(sender, receiver, datagram);
            send(sender, receiver, datagram(which, new byte[] {'y'}));
            awaitReceived(receiver, 2);
        }
        byte[] kept = Arrays.copyOf(tooLong, ReferenceSettings.DEFAULT_MAX_DATAGRAM_BYTES - header);
        assertFileHolds(which, List.of(kept, new byte[] {'y'}));
    }

    @ParameterizedTest
    @EnumSource(ReferenceReceivers.class)
    void closesWithoutAStart(ReferenceReceivers which) throws IOException {
        try (ReferenceReceiver receiver = open(which)) {
            assertThat(receiver.localPort()).isPositive();
            assertThat(receiver.grantedReceiveBuffer()).isPositive();
        }
        assertThat(file(which)).isEmptyFile();
    }

    @ParameterizedTest
    @EnumSource(ReferenceReceivers.class)
    void reportsAnAddressInUse(ReferenceReceivers which) throws IOException {
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            assume(which);
            ReferenceSettings settings = new ReferenceSettings(
                    (InetSocketAddress) taken.getLocalSocketAddress(), file(which), RECEIVE_BUFFER);
            assertThatThrownBy(() -> which.open(settings))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot listen on")
                    .hasMessageContaining(Integer.toString(taken.getLocalPort()));
        }
    }

    private static void assume(ReferenceReceivers which) {
        String problem = which.unavailableBecause();
        if (problem != null) {
            System.err.println("skipped: reference receiver " + which.receiverName() + " is unavailable: " + problem);
        }
        Assumptions.assumeTrue(problem == null, problem);
    }

    private ReferenceReceiver open(ReferenceReceivers which) throws IOException {
        assume(which);
        return which.open(new ReferenceSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), file(which), RECEIVE_BUFFER));
    }

    private Path file(ReferenceReceivers which) {
        return directory.resolve(which.receiverName());
    }

    private static List<byte[]> randomPayloads() {
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        System.out.println("ReferenceReceiverContractTest: -Dmillrace.test.seed=" + seed);
        Random random = new Random(seed);
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < DATAGRAMS; i++) {
            byte[] payload = new byte[i < 2 ? i * MAX_LENGTH : random.nextInt(MAX_LENGTH + 1)];
            for (int at = 0; at < payload.length; at++) {
                payload[at] = (byte) (' ' + random.nextInt('~' - ' ' + 1));
            }
            payloads.add(payload);
        }
        return payloads;
    }

    /** The receiver with a parser gets syslog. */
    private static byte[] datagram(ReferenceReceivers which, byte[] payload) {
        if (which != ReferenceReceivers.SYSLOG_INLINE) {
            return payload;
        }
        String message = SYSLOG_HEADER + new String(payload, StandardCharsets.US_ASCII);
        return message.getBytes(StandardCharsets.US_ASCII);
    }

    private static void send(DatagramSocket sender, ReferenceReceiver receiver, byte[] payload) throws IOException {
        sender.send(
                new DatagramPacket(payload, payload.length, InetAddress.getLoopbackAddress(), receiver.localPort()));
    }

    private static void awaitReceived(ReferenceReceiver receiver, long count) {
        long endNs = System.nanoTime() + TIMEOUT_NS;
        while (receiver.received() < count) {
            assertThat(System.nanoTime())
                    .as("it has received %s", receiver.received())
                    .isLessThan(endNs);
            LockSupport.parkNanos(10_000);
        }
    }

    private void assertFileHolds(ReferenceReceivers which, List<byte[]> payloads) throws IOException {
        String before = which == ReferenceReceivers.SYSLOG_INLINE ? SYSLOG_LINE : "";
        StringBuilder expected = new StringBuilder();
        for (byte[] payload : payloads) {
            expected.append(before)
                    .append(new String(payload, StandardCharsets.US_ASCII))
                    .append('\n');
        }
        assertThat(Files.readString(file(which), StandardCharsets.US_ASCII)).isEqualTo(expected.toString());
    }
}
