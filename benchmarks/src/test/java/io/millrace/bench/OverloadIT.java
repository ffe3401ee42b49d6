package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.bench.check.RunCheck;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounter;
import io.millrace.collector.HostCounters;
import io.millrace.journal.Journal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More than the service can take: what is lost is named, to the datagram. */
@Timeout(300)
@Tag("once")
@Tag("full")
class OverloadIT {
    private static final Duration SEND = Duration.ofSeconds(60);

    @TempDir
    private Path data;

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void ledgerClosesAfterAPause(String transport) throws Exception {
        try (NetworkNamespace namespace = NetworkNamespace.create();
                Service service =
                        Service.start(namespace.prefix(), data, "--transport", transport, "--receive-buffer", "4M")) {
            Long backlogBefore = HostCounters.read().get(HostCounter.SOFTNET_BACKLOG);
            Forked sender = send(namespace, service, "--count", "500k");
            awaitLoad();
            service.process().signal("STOP");
            TimeUnit.SECONDS.sleep(1);
            service.process().signal("CONT");
            JsonNode sent = result(sender);
            service.stop();
            assertThat(HostCounters.read().get(HostCounter.SOFTNET_BACKLOG)).isEqualTo(backlogBefore);
            assertLedgerCloses(sent, transport.equals("epoll"));
            assertThat(Service.counter(data, DropReason.SOCKET_BUFFER.counter()))
                    .isPositive();
        }
    }

    @Test
    void ledgerClosesWhenTheServiceIsStoppedInTheMiddleOfTheLoad() throws Exception {
        try (NetworkNamespace namespace = NetworkNamespace.create();
                Service service = Service.start(
                        namespace.prefix(),
                        data,
                        "--receivers",
                        "2",
                        "--receive-buffer",
                        "4M",
                        "--stop-linger",
                        "6s")) {
            // However slow the sender is, it ends while the service still counts what it refuses.
            Forked sender = send(namespace, service, "--duration", "4s");
            awaitLoad();
            service.process().signal("STOP");
            TimeUnit.MILLISECONDS.sleep(700);
            service.process().signal("CONT");
            TimeUnit.MILLISECONDS.sleep(500);
            service.process().signal("TERM");
            JsonNode sent = result(sender);
            assertThat(service.process().awaitExit(Service.STOP)).isZero();
            assertLedgerCloses(sent, true);
            assertThat(Service.counter(data, DropReason.AFTER_STOP.counter())).isPositive();
        }
    }

    /** Waits until the service receives at full load. */
    private void awaitLoad() {
        await().atMost(SEND).until(() -> Service.counter(data, Counter.RECEIVED_DATAGRAMS) > 50_000);
    }

    private static Forked send(NetworkNamespace namespace, Service service, String limit, String value) {
        return Forked.send(
                namespace.prefix(),
                "--to",
                service.target(),
                "--rate",
                "200k",
                limit,
                value,
                "--size",
                "1000",
                "--sources",
                "16",
                "--run",
                "7",
                "--json");
    }

    private static JsonNode result(Forked sender) throws Exception {
        sender.awaitExit(SEND);
        JsonNode result = new ObjectMapper().readTree(String.join("", sender.out()));
        assertThat(result.get("refused").asLong()).describedAs("refused").isZero();
        assertThat(result.get("failed").asLong()).describedAs("failed").isZero();
        return result;
    }

    /** sent = received + each named loss, received = journaled, and the journal holds exactly those. */
    private void assertLedgerCloses(JsonNode sent, boolean countsAfterStop) throws Exception {
        long received = Service.counter(data, Counter.RECEIVED_DATAGRAMS);
        long drops = Service.counter(data, DropReason.SOCKET_BUFFER.counter());
        long afterStop = Service.counter(data, DropReason.AFTER_STOP.counter());
        System.err.printf(
                "sent %d = received %d + socket drops %d + after stop %d%n",
                sent.get("sent").asLong(), received, drops, afterStop);
        assertThat(received + drops + afterStop).isEqualTo(sent.get("sent").asLong());
        assertThat(afterStop == 0 || countsAfterStop).isTrue();
        assertThat(Service.counter(data, Counter.JOURNALED_DATAGRAMS)).isEqualTo(received);
        RunCheck check = RunCheck.of(Journal.open(data), 7);
        assertThat(check.distinct()).isEqualTo(received);
        assertThat(check.duplicated()).isZero();
    }
}
