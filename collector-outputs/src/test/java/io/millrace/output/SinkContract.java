package io.millrace.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.millrace.TestSeed;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorBuilder;
import io.millrace.collector.Counter;
import io.millrace.fuzz.HostileMessages;
import io.millrace.message.InputRules;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.SinkStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every sink must do, behind a real collector and in front of a real server. Messages are numbered. */
public abstract class SinkContract {
    protected static final Duration SOON = Duration.ofSeconds(20);
    /** What a busy machine may delay an output. */
    private static final long BUSY_NS = 1_000_000_000;

    private static final Pattern NUMBER = Pattern.compile("n=(\\d+);");

    @TempDir
    protected Path directory;

    private TestServer server;
    private Collector collector;
    private boolean splitLines;
    private final List<Collector> collectors = new ArrayList<>();

    /** The destination, not started. */
    protected abstract TestServer newServer() throws Exception;

    /** A sink for the destination. */
    protected abstract Sink newSink() throws Exception;

    /** A payload that the sink or the destination refuses for good. */
    protected abstract byte[] refusedPayload();

    /** True if a record counts as delivered only when the destination has said that it has it. */
    protected abstract boolean isAcknowledged();

    /** True if the destination knows what it has already. */
    protected boolean isOnce() {
        return false;
    }

    /** How many messages a test sends at once; some tests a few times as many. */
    protected int count() {
        return 200;
    }

    @BeforeEach
    protected void open() throws Exception {
        server = newServer();
        server.start();
        collector = startCollector();
    }

    @AfterEach
    protected void close() throws IOException {
        for (Collector each : collectors) {
            each.close();
        }
        server.close();
    }

    protected Collector collector() {
        return collector;
    }

    protected Collector startCollector() throws Exception {
        return start(List.of());
    }

    /** Starts one with the sink of the test and another. */
    protected Collector startCollector(Sink another) throws Exception {
        collector.close();
        collector = start(List.of(another));
        return collector;
    }

    private Collector start(List<Sink> others) throws Exception {
        CollectorBuilder builder = Collector.builder()
                .listen("sys \"log]", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .journal(directory.resolve("data"))
                .transport("nio")
                .receivers(1)
                .receiveBuffer(1 << 20)
                .stopTimeout(Duration.ofSeconds(5))
                .deliver(
                        SinkSettings.of("out")
                                .batches(50, 64 << 10)
                                .rules(new InputRules(ZoneOffset.UTC, splitLines), Map.of())
                                .retry(Duration.ofMillis(10), Duration.ofMillis(50)),
                        newSink());
        others.forEach(other -> builder.deliver(SinkSettings.of("other"), other));
        Collector started = builder.build().start();
        collectors.add(started);
        return started;
    }

    private void restartCollector() throws Exception {
        collector.close();
        startCollectorAgain();
    }

    /** Has each line be a message from now on. */
    protected void splitLines() throws Exception {
        splitLines = true;
        restartCollector();
    }

    protected void startCollectorAgain() throws Exception {
        collector = startCollector();
    }

    protected static byte[] numbered(int number) {
        String text = "<34>1 2026-11-21T10:00:00.123Z host app - - - n=" + number + "; " + "x".repeat(number % 50);
        return text.getBytes(UTF_8);
    }

    /** Sends messages from one number to another, exclusively, and waits until they are journaled. */
    protected void send(int from, int to) throws IOException {
        send(IntStream.range(from, to).mapToObj(SinkContract::numbered).toList());
    }

    protected void send(List<byte[]> payloads) throws IOException {
        long before = collector.sinceStart(Counter.JOURNALED_DATAGRAMS);
        int sent = 0;
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            for (byte[] payload : payloads) {
                socket.send(new DatagramPacket(
                        payload, payload.length, collector.addresses().get(0)));
                sent++;
                if (sent % 50 == 0 || payload.length > 10_000 || sent == payloads.size()) {
                    long expected = before + sent;
                    await().atMost(SOON)
                            .pollDelay(Duration.ZERO)
                            .pollInterval(Duration.ofMillis(2))
                            .until(() -> collector.sinceStart(Counter.JOURNALED_DATAGRAMS) == expected);
                }
            }
        }
    }

    /** The numbers that arrived, in the order in which they did. */
    protected List<Integer> arrived() {
        List<Integer> numbers = new ArrayList<>();
        for (String message : server.received()) {
            Matcher matcher = NUMBER.matcher(message);
            assertThat(matcher.find()).as(message).isTrue();
            numbers.add(Integer.valueOf(matcher.group(1)));
        }
        return numbers;
    }

    protected static List<Integer> numbers(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    protected SinkStatus status() {
        return collector.outputs().get(0);
    }

    /** Waits until everything is delivered and has arrived. */
    protected void awaitAll(int expected) {
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(new LinkedHashSet<>(arrived())).hasSize(expected));
        await().atMost(SOON).until(() -> status().pending() == 0);
    }

    /** Each number arrived, for the first time in this order; a second time only where that may be. */
    private void assertNothingIsLost(int expected) {
        awaitAll(expected);
        List<Integer> arrived = arrived();
        assertThat(new ArrayList<>(new LinkedHashSet<>(arrived))).isEqualTo(numbers(0, expected));
        if (isOnce()) {
            assertThat(arrived).doesNotHaveDuplicates();
        }
        assertThat(status().counts().acked()).isEqualTo(expected);
        assertThat(status().counts().deadLettered()).isZero();
    }

    private void awaitProblem() {
        await().atMost(SOON).until(() -> status().problem() != null);
    }

    @Test
    protected void deliversEverythingOnceAndInOrder() throws IOException {
        send(0, 5 * count());
        awaitAll(5 * count());
        assertThat(arrived()).isEqualTo(numbers(0, 5 * count()));
        assertThat(status().counts().acked()).isEqualTo(5L * count());
        assertThat(status().problem()).isNull();
    }

    @Test
    protected void outageDelaysRecordsAndLosesNone() throws IOException {
        send(0, count());
        awaitAll(count());
        server.close();
        // Alone in its batch: none behind it can meet the failure in its place.
        send(count(), count() + 1);
        awaitProblem();
        send(count() + 1, 2 * count());
        server.start();
        send(2 * count(), 3 * count());
        assertNothingIsLost(3 * count());
        assertThat(status().problem()).isNull();
    }

    @Test
    protected void outageWithBatchesInFlightOnlyDelays() throws IOException {
        assumeThat(isAcknowledged())
                .as("without acknowledgements, what is underway can be lost")
                .isTrue();
        server.delay(20);
        for (int round = 0; round < 3; round++) {
            send(round * count(), (round + 1) * count() - 10);
            server.close();
            send((round + 1) * count() - 10, (round + 1) * count());
            awaitProblem();
            server.start();
        }
        server.delay(0);
        assertNothingIsLost(3 * count());
    }

    @Test
    protected void slowDestinationOnlyDelays() throws IOException {
        server.delay(5);
        send(0, count());
        assertThat(collector.ledger().journaled()).isEqualTo(count());
        awaitAll(count());
        assertThat(arrived()).isEqualTo(numbers(0, count()));
    }

    @Test
    protected void rejectedRecordBecomesADeadLetterWithoutDelay() throws IOException {
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            payloads.add(numbered(i));
            if (i % 20 == 10) {
                payloads.add(refusedPayload());
            }
        }
        send(payloads);
        awaitAll(60);
        assertThat(new ArrayList<>(new LinkedHashSet<>(arrived()))).isEqualTo(numbers(0, 60));
        assertThat(status().counts().deadLettered()).isEqualTo(3);
        assertThat(status().counts().acked()).isEqualTo(60);
        assertThat(Files.readAllLines(directory.resolve("data/dead-letters/out.ndjson")))
                .hasSize(3)
                .allMatch(line -> line.contains("\"reason\":\"" + refusal()));
    }

    /** Prepares the stream with hostile messages: names made of fields, for example. */
    protected void expectHostileMessages() throws Exception {}

    /**
     * One message of a hundred is to harm the output: all others arrive, each hostile one is accounted for, and what is left when the sending
     * ends is settled as soon as without them. For how many seconds is set with {@code -Dmillrace.it.hostile=60}.
     *
     * <p>The time is compared in three attempts at most, because a busy machine delays an output too: an output that a hostile message holds up
     * is late in each.
     */
    @Test
    protected void hostileMessagesDoNotBlockOthers() throws Exception {
        expectHostileMessages();
        Random random = TestSeed.random(getClass());
        HostileMessages hostile = new HostileMessages(random.nextLong());
        Duration length = Duration.ofSeconds(Integer.getInteger("millrace.it.hostile", 1));
        Stream good = stream(length, 0, null);
        assertThat(status().counts().deadLettered()).isZero();
        long allowedNs = good.settleNs() + Math.max(length.toNanos() / 4, BUSY_NS);
        List<Long> settleNs = new ArrayList<>();
        int numbers = good.good();
        int bad = 0;
        do {
            Stream mixed = stream(length, numbers, hostile);
            numbers = mixed.good();
            bad += mixed.hostile();
            settleNs.add(mixed.settleNs());
            assertEachIsAccountedFor(numbers, bad);
        } while (settleNs.size() < 5 && Collections.min(settleNs) > allowedNs);
        SinkStatus after = status();
        System.err.printf(
                "%s: %d good, %d hostile messages; %d dead letters, %s, %s; settled in %s ns, without them in %d ns%n",
                getClass().getSimpleName(),
                numbers,
                bad,
                after.counts().deadLettered(),
                after.refused(),
                after.adjusted(),
                settleNs,
                good.settleNs());
        assertThat(Collections.min(settleNs)).isLessThanOrEqualTo(allowedNs);
    }

    private void assertEachIsAccountedFor(int good, int hostile) throws Exception {
        assertThat(goodOf(server.received())).hasSize(good).containsAll(numbers(0, good));
        SinkStatus status = status();
        assertThat(status.counts().acked() + status.counts().deadLettered()).isEqualTo(good + hostile);
        assertThat(status.refused().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(status.counts().deadLettered());
    }

    /** What was sent: good messages up to a number, hostile ones, and how long it took after the last one until all of it was settled. */
    private record Stream(int good, int hostile, long settleNs) {}

    /** Sends at a steady rate, and waits until everything is settled. */
    private Stream stream(Duration length, int from, @Nullable HostileMessages hostile) throws Exception {
        long began = System.nanoTime();
        int next = from;
        int bad = 0;
        List<byte[]> some = new ArrayList<>();
        while (System.nanoTime() - began < length.toNanos()) {
            some.clear();
            for (int i = 0; i < count() / 2; i++) {
                if (hostile != null && next % 100 == 50) {
                    some.add(
                            bad % 10 == 3 && !refusesNothing()
                                    ? refusedPayload()
                                    : hostile.next("hostile " + bad + ";"));
                    bad++;
                }
                some.add(numbered(next++));
            }
            send(some);
            TimeUnit.MILLISECONDS.sleep(count() / 2);
        }
        long sent = System.nanoTime();
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(60))
                .until(() -> status().pending() == 0);
        long settleNs = System.nanoTime() - sent;
        int expected = next;
        await().atMost(SOON).until(() -> goodOf(server.received()).size() == expected);
        return new Stream(next, bad, settleNs);
    }

    /** True if the sink refuses nothing of its own. */
    protected boolean refusesNothing() {
        return false;
    }

    private static Set<Integer> goodOf(List<String> received) {
        Set<Integer> numbers = new HashSet<>();
        for (String message : received) {
            Matcher matcher = NUMBER.matcher(message);
            if (!message.contains("hostile") && matcher.find()) {
                numbers.add(Integer.valueOf(matcher.group(1)));
            }
        }
        return numbers;
    }

    /** What the reason of a refusal begins with. */
    protected abstract String refusal();

    @Test
    protected void deliversMessagesOfOneDatagramSeparately() throws Exception {
        splitLines();
        send(List.of(
                concat(numbered(0), "\n".getBytes(UTF_8), numbered(1), "\r\n\n".getBytes(UTF_8)),
                numbered(2),
                concat(numbered(3), "\n".getBytes(UTF_8), numbered(4))));
        awaitAll(5);
        assertThat(arrived()).isEqualTo(numbers(0, 5));
        assertThat(status().counts().acked()).isEqualTo(3);
    }

    private static byte[] concat(byte[]... pieces) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            all.writeBytes(piece);
        }
        return all.toByteArray();
    }

    @Test
    protected void restartContinuesAtThePosition() throws Exception {
        send(0, count());
        awaitAll(count());
        restartCollector();
        send(count(), 2 * count());
        awaitAll(2 * count());
        assertThat(arrived()).isEqualTo(numbers(0, 2 * count()));
        assertThat(status().counts().acked()).isEqualTo(2L * count());
    }

    @Test
    protected void restartDuringAnOutageLosesNothing() throws Exception {
        send(0, count());
        awaitAll(count());
        server.close();
        send(count(), 2 * count());
        awaitProblem();
        restartCollector();
        awaitProblem();
        server.start();
        assertNothingIsLost(2 * count());
    }
}
