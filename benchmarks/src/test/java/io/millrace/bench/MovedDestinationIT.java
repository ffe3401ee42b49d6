package io.millrace.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A destination that moves to another address while the old one still answers: the outputs follow its name, and nothing that was sent is
 * missing at both places together. The name is in a hosts file of the JVM.
 */
@Timeout(240)
@Tag("calm")
@Tag("once")
@Tag("full")
class MovedDestinationIT {
    private static final String NAME = "collector.test";
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private final int port = FreePort.next();
    private final int relpPort = FreePort.next();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger sent = new AtomicInteger();

    private void move(String address) throws IOException {
        Path hosts = directory.resolve("hosts");
        Path next = Files.writeString(directory.resolve("hosts.new"), address + " " + NAME + "\n");
        Files.move(next, hosts, StandardCopyOption.REPLACE_EXISTING);
    }

    private Service destination(String address) throws Exception {
        Path config = Files.writeString(
                directory.resolve(address + ".yaml"),
                String.join(
                        "\n",
                        "inputs:",
                        "  udp: {listen: '" + address + ":" + port + "'}",
                        "  tcp: {listen: 'tcp://" + address + ":" + port + "'}",
                        "  relp: {listen: 'relp://" + address + ":" + relpPort + "'}",
                        ""));
        return Service.startWith(directory.resolve(address), "--config", config.toString());
    }

    private Path senderConfig(String resolve) throws IOException {
        String common = ", batch: {linger: 10ms}" + (resolve.isEmpty() ? "" : ", resolve: " + resolve) + "}";
        return Files.writeString(
                directory.resolve("sender.yaml"),
                String.join(
                        "\n",
                        "inputs: {in: {listen: '127.0.0.1:0'}}",
                        "outputs:",
                        "  udp: {type: syslog, transport: udp, host: " + NAME + ", port: " + port + common,
                        "  tcp: {type: syslog, transport: tcp, host: " + NAME + ", port: " + port + common,
                        "  relp: {type: relp, host: " + NAME + ", port: " + relpPort + common,
                        ""));
    }

    private Service sender(Path config) throws Exception {
        return Service.startWith(
                List.of("env", "JAVA_TOOL_OPTIONS=-Djdk.net.hosts.file=" + directory.resolve("hosts")),
                directory.resolve("sender"),
                "--config",
                config.toString());
    }

    /** Sends a numbered message every 5 ms until the stop. */
    private Thread traffic(Service to) {
        Thread thread = new Thread(() -> {
            try (DatagramSocket socket = new DatagramSocket()) {
                while (!stop.get()) {
                    byte[] bytes = ("<13>1 - h app - - - n=" + sent.getAndIncrement() + ";").getBytes(ISO_8859_1);
                    socket.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), to.port()));
                    Thread.sleep(5);
                }
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        return thread;
    }

    /** The numbers that each input of a destination has journaled. */
    private Map<String, BitSet> received(String address) throws IOException {
        Map<String, BitSet> numbers = new HashMap<>();
        Journal journal = Journal.open(directory.resolve(address));
        List<String> inputs = journal.meta().inputs();
        try (JournalCursor cursor = journal.cursor().open()) {
            while (cursor.poll((datagram, position) -> {
                        String text = datagram.payloadText();
                        int number = Integer.parseInt(text.substring(text.indexOf("n=") + 2, text.indexOf(';')));
                        numbers.computeIfAbsent(inputs.get(datagram.input()), it -> new BitSet())
                                .set(number);
                    })
                    > 0) {
                // All of it.
            }
        }
        return numbers;
    }

    private boolean hasAll(String address) throws IOException {
        return received(address).keySet().containsAll(Set.of("udp", "tcp", "relp"));
    }

    private static boolean isDelivered(Service service) throws Exception {
        for (String output : List.of("udp", "tcp", "relp")) {
            if (service.ledger().get("delivered").get(output).get("pending").asLong() > 0) {
                return false;
            }
        }
        return true;
    }

    /** Nothing is missing at both places together. Over UDP the kernel may drop something. */
    private void assertNothingIsMissing() throws IOException {
        Map<String, BitSet> old = received("127.0.0.2");
        Map<String, BitSet> now = received("127.0.0.3");
        for (String input : List.of("relp", "tcp")) {
            BitSet all = old.get(input);
            all.or(now.get(input));
            assertThat(all.nextClearBit(0)).as(input).isEqualTo(sent.get());
        }
    }

    private void follow(String resolve, boolean byReload) throws Exception {
        move("127.0.0.2");
        try (Service old = destination("127.0.0.2");
                Service now = destination("127.0.0.3");
                Service sender = sender(senderConfig(resolve))) {
            Thread traffic = traffic(sender);
            await().atMost(SOON).until(() -> hasAll("127.0.0.2"));
            move("127.0.0.3");
            if (byReload) {
                Thread.sleep(3000);
                assertThat(received("127.0.0.3")).as("before the reload").isEmpty();
                try (Forked reload = Forked.millrace(
                        List.of(),
                        "reload",
                        "--data",
                        directory.resolve("sender").toString())) {
                    assertThat(reload.awaitExit(SOON)).isZero();
                }
                await().atMost(Duration.ofSeconds(10)).until(() -> hasAll("127.0.0.3"));
            } else {
                await().atMost(MINUTE).until(() -> hasAll("127.0.0.3"));
            }
            sender.process().awaitErr("the host name has other addresses than 127.0.0.2 now", SOON);
            Thread.sleep(500);
            stop.set(true);
            traffic.join();
            await().atMost(SOON).until(() -> isDelivered(sender));
            sender.stop();
            now.stop();
            old.stop();
        }
        assertNothingIsMissing();
    }

    /** The default, and a shorter time. */
    @ParameterizedTest
    @ValueSource(strings = {"", "2s"})
    void outputsFollowTheNameWithinAMinute(String resolve) throws Exception {
        follow(resolve, false);
    }

    @Test
    void reloadLooksTheNameUpAtOnce() throws Exception {
        follow("0s", true);
    }

    /** The old address is gone, and the name is changed later: outputs that fail look it up at each attempt. */
    @Test
    void outputsThatFailFollowTheName() throws Exception {
        move("127.0.0.2");
        try (Service now = destination("127.0.0.3");
                Service sender = sender(senderConfig("0s"))) {
            Thread traffic = traffic(sender);
            sender.process().awaitErr("Output relp cannot deliver", SOON);
            move("127.0.0.3");
            await().atMost(Duration.ofSeconds(20)).until(() -> hasAll("127.0.0.3"));
            sender.process().awaitErr("Output relp delivers again after", SOON);
            stop.set(true);
            traffic.join();
            await().atMost(SOON).until(() -> isDelivered(sender));
            sender.stop();
            now.stop();
        }
        assertThat(received("127.0.0.3").get("relp").nextClearBit(0)).isEqualTo(sent.get());
    }
}
