package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.collector.RelpClient.Frame;
import io.millrace.journal.DatagramView;
import io.millrace.journal.FrameTransport;
import io.millrace.journal.JournalCursor;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs of RELP, from the socket to the journal and back to the client. */
@Timeout(60)
class RelpTest {
    private static final Endpoint RELP = Endpoint.relp(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    @TempDir
    Path directory;

    private CollectorBuilder builder(String transport) {
        Assumptions.assumeTrue(!transport.equals("epoll") || Epoll.isAvailable(), "no epoll");
        return Collector.builder()
                .journal(directory.resolve("data"))
                .transport(transport)
                .receivers(1)
                .threading(Threading.SHARED)
                .stopTimeout(Duration.ofSeconds(5))
                .listen("relp", RELP, StreamSettings.DEFAULT);
    }

    private CollectorBuilder builder() {
        return builder("auto");
    }

    private CollectorBuilder builder(StreamSettings settings) {
        return Collector.builder()
                .journal(directory.resolve("data"))
                .receivers(1)
                .threading(Threading.SHARED)
                .stopTimeout(Duration.ofSeconds(5))
                .listen("relp", RELP, settings);
    }

    private static StreamSettings settings(int maxMessage, int max, Duration idle) {
        return StreamSettings.DEFAULT
                .with(StreamSettings.MAX_MESSAGE, maxMessage)
                .with(StreamSettings.MAX_CONNECTIONS, max)
                .with(StreamSettings.MAX_CONNECTIONS_PER_SOURCE, max)
                .with(StreamSettings.IDLE_TIMEOUT, idle);
    }

    private static InetSocketAddress address(Collector collector) {
        return collector.endpoints().get(0).address();
    }

    private static List<DatagramView> journaled(Collector collector) throws IOException {
        List<DatagramView> found = new ArrayList<>();
        try (JournalCursor cursor = collector.journal().cursor().open()) {
            while (cursor.poll((datagram, position) -> found.add(datagram.copy())) > 0) {
                // All of it.
            }
        }
        return found;
    }

    private static StreamCounters counters(Collector collector) {
        return collector.streams().get(0);
    }

    private static void assertLedgerCloses(Collector collector) {
        Ledger ledger = collector.ledger();
        assertThat(ledger.received()).isEqualTo(ledger.journaled() + ledger.dropped(DropReason.CRASH));
        assertThat(ledger.inFlight()).isZero();
        for (StreamCounters counters : collector.streams()) {
            assertThat(counters.pendingBytes()).isZero();
            assertThat(counters.get(StreamCounter.READ_BYTES))
                    .isEqualTo(counters.get(StreamCounter.PAYLOAD_BYTES)
                            + counters.get(StreamCounter.FRAMING_BYTES)
                            + counters.get(StreamCounter.SKIPPED_BYTES));
            assertThat(counters.open()).isZero();
            assertThat(counters.get(StreamCounter.MESSAGES)).isEqualTo(ledger.received());
            assertThat(counters.get(StreamCounter.ACKNOWLEDGED)).isLessThanOrEqualTo(ledger.journaled());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void messagesAreAcknowledgedInOrder(String transport) throws IOException {
        Collector collector = builder(transport).build().start();
        try (RelpClient client = RelpClient.open(address(collector))) {
            client.message("<13>one");
            client.message("<13>two\nlines\n");
            client.message("");
            client.send("starttls", "");
            client.message("<13>three");
            for (int txnr : List.of(2, 3, 4)) {
                assertThat(client.read()).isEqualTo(new Frame(txnr, "rsp", "200 OK"));
            }
            assertThat(client.read()).isEqualTo(new Frame(5, "rsp", "500 unsupported command"));
            assertThat(client.read()).isEqualTo(new Frame(6, "rsp", "200 OK"));
            assertThat(journaled(collector))
                    .extracting(DatagramView::payloadText)
                    .containsExactly("<13>one", "<13>two\nlines\n", "<13>three");
            assertThat(journaled(collector)).allSatisfy(view -> {
                assertThat(view.transport()).isEqualTo(FrameTransport.RELP);
                assertThat(view.sourcePort()).isEqualTo(client.socket.getLocalPort());
            });
            client.send("close", "");
            assertThat(client.read()).isEqualTo(new Frame(7, "rsp", "200 OK"));
            assertThat(client.read()).isEqualTo(new Frame(0, "serverclose", ""));
            assertThat(client.isAtEnd()).isTrue();
            await().until(() -> counters(collector).get(StreamCounter.CLOSED_PEER) == 1);
            assertThat(counters(collector).get(StreamCounter.ACKNOWLEDGED)).isEqualTo(4);
        } finally {
            collector.close();
        }
        Ledger ledger = collector.ledger();
        assertThat(ledger.journaled()).isEqualTo(3);
    }

    /** A client with a full window gets its answers, also when nothing else happens. */
    @ParameterizedTest
    @CsvSource({
        "SHARED, PAGE_CACHE",
        "DEDICATED, PAGE_CACHE",
        "SHARED, BATCH",
        "DEDICATED, BATCH",
        "SHARED, INTERVAL",
        "DEDICATED, INTERVAL"
    })
    void anAnswerMeansThatTheMessageIsInTheJournal(Threading threading, SyncSettings.Level level) throws IOException {
        SyncSettings sync = switch (level) {
            case PAGE_CACHE -> SyncSettings.PAGE_CACHE;
            case BATCH -> SyncSettings.BATCH;
            case INTERVAL -> SyncSettings.interval(Duration.ofMillis(50));
        };
        Collector collector = builder().threading(threading).sync(sync).build().start();
        try (RelpClient client = RelpClient.open(address(collector))) {
            for (int round = 0; round < 20; round++) {
                int first = round * 100 + 2;
                StringBuilder frames = new StringBuilder();
                for (int i = 0; i < 100; i++) {
                    frames.append(RelpClient.frame(first + i, "syslog", "<13>message " + (first + i)));
                }
                client.raw(frames.toString());
                for (int i = 0; i < 100; i++) {
                    assertThat(client.read()).isEqualTo(new Frame(first + i, "rsp", "200 OK"));
                    assertThat(collector.ledger().journaled()).isGreaterThanOrEqualTo(first + i - 1);
                }
            }
        } finally {
            collector.close();
        }
        assertThat(collector.ledger().journaled()).isEqualTo(2000);
        assertThat(counters(collector).get(StreamCounter.ACKNOWLEDGED)).isEqualTo(2000);
        assertLedgerCloses(collector);
    }

    @Test
    void aClientThatReadsNoAnswersIsNotRead() throws Exception {
        Collector collector = builder().build().start();
        try (RelpClient client = RelpClient.open(address(collector))) {
            client.socket.setSendBufferSize(32 << 10);
            int messages = 400_000;
            Thread sender = new Thread(() -> {
                try {
                    StringBuilder frames = new StringBuilder();
                    for (int i = 0; i < messages; i++) {
                        frames.append(RelpClient.frame(2 + i, "syslog", "<13>message " + i));
                        if (i % 1000 == 999) {
                            client.raw(frames.toString());
                            frames.setLength(0);
                        }
                    }
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            sender.start();
            long before = -1;
            while (before != counters(collector).get(StreamCounter.MESSAGES) || before <= 0) {
                before = counters(collector).get(StreamCounter.MESSAGES);
                Thread.sleep(200);
            }
            assertThat(before).as("answers fill the socket's buffers").isLessThan(messages);
            for (int i = 0; i < messages; i++) {
                assertThat(client.read()).isEqualTo(new Frame(2 + i, "rsp", "200 OK"));
            }
            sender.join();
        } finally {
            collector.close();
        }
        assertThat(collector.ledger().journaled()).isEqualTo(400_000);
        assertLedgerCloses(collector);
    }

    @Test
    void aLongMessageIsTruncatedAndAcknowledged() throws IOException {
        Collector collector = builder(settings(1000, 10, Duration.ZERO)).build().start();
        try (RelpClient client = RelpClient.open(address(collector))) {
            client.message("<13>" + "x".repeat(200_000));
            client.message("<13>next");
            assertThat(client.read().isOk()).isTrue();
            assertThat(client.read().isOk()).isTrue();
            List<DatagramView> found = journaled(collector);
            assertThat(found.get(0).payloadLength()).isEqualTo(1000);
            assertThat(found.get(0).isTruncated()).isTrue();
            assertThat(found.get(0).originalLength()).isEqualTo(200_004);
            assertThat(found.get(1).payloadText()).isEqualTo("<13>next");
            assertThat(counters(collector).get(StreamCounter.TRUNCATED)).isEqualTo(1);
        } finally {
            collector.close();
        }
        assertThat(counters(collector).get(StreamCounter.SKIPPED_BYTES)).isEqualTo(199_004);
        assertLedgerCloses(collector);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<13>not RELP\n",
                "1 syslog 3 abc\n",
                "1234567890 open 0\n",
                "1 open 0\n",
                "1 open 9 commands=\n",
                "0 open 14 relp_version=0\n",
                "1 open 14 relp_version=0x",
                "1 open 14 relp_version=0\n1 open 14 relp_version=0\n",
                "1 open 14 relp_version=0\n2 sys-log 3 abc\n",
                "1 open 14 relp_version=0\n2 syslog 0 \n",
                "1 open 14 relp_version=0\n2 syslog 1234567890 \n"
            })
    void whatIsNotRelpIsClosedAndCounted(String stream) throws IOException {
        Collector collector = builder().build().start();
        try (RelpClient client = new RelpClient(new Socket(
                        address(collector).getAddress(), address(collector).getPort()));
                RelpClient other = RelpClient.open(address(collector))) {
            client.raw(stream);
            // The last of what the receiver's thread counts.
            await().until(() -> counters(collector).get(StreamCounter.FRAMING_ERRORS) == 1);
            await().until(() -> counters(collector).get(StreamCounter.CLOSED_RELP_FRAME) == 1);
            assertThat(collector.senderNotices()).singleElement().satisfies(notice -> {
                assertThat(notice.reason()).isEqualTo(StreamCounter.CLOSED_RELP_FRAME);
                assertThat(notice.source()).isEqualTo("127.0.0.1");
            });
            other.message("<13>others are not disturbed");
            assertThat(other.read().isOk()).isTrue();
        } finally {
            collector.close();
        }
        assertThat(collector.ledger().journaled()).isEqualTo(1);
        assertLedgerCloses(collector);
    }

    @Test
    void unknownCommandBeforeOpenIsAnswered() throws IOException {
        Collector collector = builder().build().start();
        try (RelpClient client = new RelpClient(
                new Socket(address(collector).getAddress(), address(collector).getPort()))) {
            client.send("starttls", "");
            assertThat(client.read()).isEqualTo(new Frame(1, "rsp", "500 unsupported command"));
            client.open();
            client.message("<13>opened");
            assertThat(client.read().isOk()).isTrue();
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void halfAMessageIsNoMessage() throws IOException {
        Collector collector = builder().build().start();
        try (RelpClient client = RelpClient.open(address(collector))) {
            client.raw("2 syslog 100 <13>half");
            await().until(() -> counters(collector).pendingBytes() == 8);
        }
        await().until(() -> counters(collector).get(StreamCounter.CLOSED_PEER) == 1);
        collector.close();
        assertThat(collector.ledger().received()).isZero();
        assertThat(counters(collector).get(StreamCounter.SKIPPED_BYTES)).isEqualTo(8);
        assertLedgerCloses(collector);
    }

    @Test
    void idleSessionIsClosedInOrder() throws IOException {
        Collector collector =
                builder(settings(1000, 10, Duration.ofMillis(100))).build().start();
        try (RelpClient client = RelpClient.open(address(collector))) {
            assertThat(client.read()).isEqualTo(new Frame(0, "serverclose", ""));
            assertThat(client.isAtEnd()).isTrue();
            await().until(() -> counters(collector).get(StreamCounter.CLOSED_IDLE) == 1);
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void connectionsAreLimited() throws IOException {
        Collector collector = builder(settings(1000, 1, Duration.ZERO)).build().start();
        try (RelpClient first = RelpClient.open(address(collector));
                Socket second = new Socket(
                        address(collector).getAddress(), address(collector).getPort())) {
            assertThat(second.getInputStream().read()).isEqualTo(-1);
            first.message("<13>in");
            assertThat(first.read().isOk()).isTrue();
            assertThat(counters(collector).get(StreamCounter.REFUSED_MAX)).isEqualTo(1);
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void newPolicyClosesDeniedSessions() throws IOException {
        Collector collector = builder().build().start();
        try (RelpClient client = RelpClient.open(address(collector))) {
            client.message("<13>before");
            assertThat(client.read().isOk()).isTrue();
            NetworkSet networks = NetworkSet.of(List.of(), List.of(Network.parse("127.0.0.0/8")));
            collector.setPolicy(new PolicySettings(networks, null, null, 24, 64));
            assertThat(client.read()).isEqualTo(new Frame(0, "serverclose", ""));
            await().until(() -> counters(collector).get(StreamCounter.CLOSED_DENIED) == 1);
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void theClientOfAProxyIsTheSource() throws IOException {
        StreamSettings proxied = StreamSettings.DEFAULT.withProxies(List.of(Network.parse("127.0.0.0/8")));
        Collector collector = builder(proxied).build().start();
        try (RelpClient client = new RelpClient(
                new Socket(address(collector).getAddress(), address(collector).getPort()))) {
            client.raw("PROXY TCP4 192.0.2.1 127.0.0.1 1000 2514\r\n");
            client.open();
            client.message("<13>by way of a proxy");
            assertThat(client.read().isOk()).isTrue();
            assertThat(journaled(collector))
                    .singleElement()
                    .matches(it -> it.sourceText().equals("192.0.2.1") && it.sourcePort() == 1000);
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    @Test
    void rateLimitSlowsASessionAndDropsNothing() throws IOException {
        Collector collector = builder()
                .policy(new PolicySettings(null, new RateLimit(1000, 0), null, 24, 64))
                .build()
                .start();
        try (RelpClient client = RelpClient.open(address(collector))) {
            long startNs = System.nanoTime();
            for (int i = 0; i < 2000; i++) {
                client.message("<13>message");
            }
            for (int i = 0; i < 2000; i++) {
                assertThat(client.read()).isEqualTo(new Frame(i + 2, "rsp", "200 OK"));
            }
            assertThat(System.nanoTime() - startNs).isGreaterThan(800_000_000L);
            assertThat(counters(collector).get(StreamCounter.RATE_LIMITED)).isPositive();
        } finally {
            collector.close();
        }
        assertLedgerCloses(collector);
    }

    /** What the client had no answer for may be journaled; what it had an answer for is. */
    @ParameterizedTest
    @CsvSource({"SHARED, PAGE_CACHE", "DEDICATED, PAGE_CACHE", "SHARED, INTERVAL", "DEDICATED, BATCH"})
    void theStopAnswersAndSaysServerClose(Threading threading, SyncSettings.Level level) throws Exception {
        SyncSettings sync = switch (level) {
            case PAGE_CACHE -> SyncSettings.PAGE_CACHE;
            case BATCH -> SyncSettings.BATCH;
            case INTERVAL -> SyncSettings.interval(Duration.ofMillis(300));
        };
        Collector collector = builder().threading(threading).sync(sync).build().start();
        try (RelpClient client = RelpClient.open(address(collector))) {
            int messages = 500;
            for (int i = 0; i < messages; i++) {
                client.message("<13>message " + i);
            }
            Thread stop = new Thread(() -> {
                try {
                    collector.close();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            stop.start();
            int answers = 0;
            Frame next = client.read();
            for (; next.isOk(); next = client.read()) {
                answers++;
            }
            assertThat(next).isEqualTo(new Frame(0, "serverclose", ""));
            client.socket.close();
            stop.join();
            assertThat(answers).isEqualTo(messages);
            assertThat(counters(collector).get(StreamCounter.ACKNOWLEDGED)).isEqualTo(messages);
        } finally {
            collector.close();
        }
        assertThat(counters(collector).get(StreamCounter.CLOSED_STOP)).isEqualTo(1);
        assertLedgerCloses(collector);
    }
}
