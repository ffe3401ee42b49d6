package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.FreePort;
import io.millrace.bench.check.RunCheck;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is really full: the service says so, loses nothing uncounted, and goes on when there is room. */
@Timeout(300)
@Tag("calm")
@Tag("once")
class DiskFullIT {
    private static final int FILLS = Integer.getInteger("millrace.it.fills", 2);
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path mountPoint;

    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        Needs.root("mount a small tmpfs");
        mounted = run("mount", "-t", "tmpfs", "-o", "size=1000m", "tmpfs", mountPoint.toString());
        Needs.that(mounted, "no tmpfs can be mounted here");
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            // Lazily: this process still has the counters mapped, until the collector of garbage comes by.
            assertThat(run("umount", "-l", mountPoint.toString())).isTrue();
        }
    }

    private static void fill(Path file, int mib) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] block = new byte[1 << 20];
            for (int i = 0; i < mib; i++) {
                out.write(block);
            }
        }
    }

    @Test
    void reportsAFullDiskAndContinuesWhenThereIsRoom() throws Exception {
        Path ballast = mountPoint.resolve("ballast");
        fill(ballast, 870);
        Path data = mountPoint.resolve("data");
        try (Service service = Service.start(List.of(), data);
                Forked sender = Forked.load(
                        "--to",
                        service.target(),
                        "--rate",
                        "50k",
                        "--count",
                        "300k",
                        "--size",
                        "1000",
                        "--run",
                        "d",
                        "--json")) {
            await().atMost(SOON).until(() -> service.get("/readyz").statusCode() == 503);
            assertThat(service.get("/readyz").body()).contains("MiB must be free for");
            try (Forked next = Forked.millrace(
                    List.of(), "run", "--hot-restart", "--data", data.toString(), "--listen", service.target())) {
                assertThat(next.awaitExit(SOON)).isEqualTo(1);
                assertThat(next.err()).anyMatch(line -> line.contains("make room first"));
            }
            assertThat(sender.awaitExit(SOON)).isZero();
            assertThat(service.ledger().get("inFlight").asLong()).isPositive();

            Files.delete(ballast);
            await().atMost(SOON).until(() -> service.get("/readyz").statusCode() == 200);
            JsonNode sent = new ObjectMapper().readTree(String.join("", sender.out()));
            service.stop();

            long received = Service.counter(data, Counter.RECEIVED_DATAGRAMS);
            long drops = Service.counter(data, DropReason.SOCKET_BUFFER.counter());
            long journalFull = Service.counter(data, DropReason.JOURNAL_FULL.counter());
            assertThat(received + drops + journalFull)
                    .isEqualTo(sent.get("sent").asLong());
            assertThat(Service.counter(data, Counter.JOURNALED_DATAGRAMS)).isEqualTo(received);
            assertThat(journalFull)
                    .describedAs("the sockets overflowed, and the cause is named")
                    .isPositive();
        }
        List<JournalScanner.Problem> problems = new ArrayList<>();
        var unused = new JournalScanner(data, problems::add, (done, total) -> {}).scan();
        assertThat(problems).isEmpty();
        assertThat(RunCheck.of(Journal.open(data), 0xd).duplicated()).isZero();
    }

    /** What waits in its sockets cannot be journaled any more: it is read and counted. */
    @Test
    @Tag("full")
    void countsWhatABlockedServiceHasInItsSocketsWhenItIsStopped() throws Exception {
        fill(mountPoint.resolve("ballast"), 950);
        Path data = mountPoint.resolve("data");
        try (Service service = Service.start(List.of(), data);
                Forked sender = send(service, "50k", "100k", 0xf)) {
            assertThat(sender.awaitExit(SOON)).isZero();
            JsonNode sent = new ObjectMapper().readTree(String.join("", sender.out()));
            assertThat(service.get("/readyz").statusCode()).isEqualTo(503);
            long dropsBefore = Service.counter(data, DropReason.JOURNAL_FULL.counter());
            service.stop();

            assertThat(Service.counter(data, DropReason.JOURNAL_FULL.counter())).isGreaterThan(dropsBefore);
            assertThat(lost(data)).isEqualTo(sent.get("sent").asLong());
            assertThat(Service.counter(data, DropReason.AFTER_STOP.counter())).isZero();
        }
        assertClean(data);
    }

    /** TCP senders wait while the disk is full, and lose nothing. */
    @Test
    @Tag("full")
    void sendersOnConnectionsWaitForRoom() throws Exception {
        Path ballast = mountPoint.resolve("ballast");
        fill(ballast, 870);
        Path data = mountPoint.resolve("data");
        String listen = "tcp://127.0.0.1:" + FreePort.next();
        try (Service service = Service.start(List.of(), data, "--listen", listen);
                Forked sender = Forked.load(
                        "--to",
                        listen,
                        "--sources",
                        "10",
                        "--rate",
                        "50k",
                        "--count",
                        "300k",
                        "--size",
                        "1000",
                        "--run",
                        "e")) {
            await().atMost(SOON).until(() -> service.get("/readyz").statusCode() == 503);
            assertThat(sender.isAlive()).isTrue();
            Files.delete(ballast);
            await().atMost(SOON).until(() -> service.get("/readyz").statusCode() == 200);
            assertThat(sender.awaitExit(Duration.ofSeconds(60)))
                    .as("%s", sender.err())
                    .isZero();
            await().atMost(SOON).until(() -> service.ledger().get("journaled").asLong() == 300_000);
            service.stop();
        }
        RunCheck check = RunCheck.of(Journal.open(data), 0xe);
        assertThat(check.distinct()).isEqualTo(300_000);
        assertThat(check.duplicated()).isZero();
    }

    /** Another program takes the last byte, again and again, under load; every second time the service is killed then. */
    @Test
    @Tag("full")
    void survivesAFullDiskRepeatedly() throws Exception {
        Path data = mountPoint.resolve("data");
        Service service = Service.start(List.of(), data);
        try {
            for (int fill = 1; fill <= FILLS; fill++) {
                long sent = 0;
                boolean kill = fill % 2 == 0;
                long before = lost(data);
                // Most of it before the load, which lasts three seconds: the rest is gone long before its end.
                Path ballast = mountPoint.resolve("ballast");
                fill(ballast, (int) (Files.getFileStore(mountPoint).getUsableSpace() >> 20) - 50);
                try (Forked sender = send(service, "20k", "60k", fill)) {
                    fillToTheLastByte(ballast, service);
                    assertThat(Files.getFileStore(mountPoint).getUsableSpace()).isZero();
                    if (kill) {
                        service.process().signal("KILL");
                        var unused = service.process().awaitExit(SOON);
                        assertThat(sender.awaitExit(SOON)).isBetween(0, 1);
                        service = Service.start(List.of(), data);
                    } else {
                        assertThat(sender.awaitExit(SOON)).isZero();
                        sent = new ObjectMapper()
                                .readTree(String.join("", sender.out()))
                                .get("sent")
                                .asLong();
                    }
                    assertClean(data);
                    Files.delete(ballast);
                }
                Service now = service;
                await().atMost(SOON).until(() -> now.get("/readyz").statusCode() == 200);
                try (Forked sender = send(service, "10k", "5k", 100 + fill)) {
                    assertThat(sender.awaitExit(SOON)).isZero();
                }
                await().atMost(SOON).until(() -> now.ledger().get("inFlight").asLong() == 0);
                JsonNode lifetime = service.ledger().get("lifetime");
                assertThat(lifetime.get("received").asLong())
                        .isEqualTo(lifetime.get("journaled").asLong()
                                + lifetime.get("crash").asLong());
                if (!kill) {
                    assertThat(lost(data) - before)
                            .describedAs("sent is received, or dropped and counted")
                            .isEqualTo(sent + 5_000);
                }
                assertClean(data);
                System.err.printf(
                        "disk full %d of %d: %s, lifetime %s%n", fill, FILLS, kill ? "killed" : "went on", lifetime);
            }
            service.stop();
        } finally {
            service.close();
        }
        assertClean(data);
    }

    /** All that came, whatever became of it. */
    private static long lost(Path data) throws IOException {
        return Service.counter(data, Counter.RECEIVED_DATAGRAMS)
                + Service.counter(data, DropReason.SOCKET_BUFFER.counter())
                + Service.counter(data, DropReason.JOURNAL_FULL.counter());
    }

    private static Forked send(Service service, String rate, String count, int run) {
        return Forked.load(
                "--to",
                service.target(),
                "--rate",
                rate,
                "--count",
                count,
                "--size",
                "1000",
                "--run",
                Integer.toHexString(run),
                "--json");
    }

    /** Takes what there is until nothing is left, and the service has noticed. */
    private static void fillToTheLastByte(Path ballast, Service service) {
        await().atMost(SOON).until(() -> {
            // Complete blocks first, then the remainder.
            run(
                    "sh",
                    "-c",
                    "dd if=/dev/zero of=" + ballast
                            + " oflag=append conv=notrunc bs=1M 2>/dev/null; dd if=/dev/zero of=" + ballast
                            + " oflag=append conv=notrunc bs=4k 2>/dev/null");
            return service.get("/readyz").statusCode() == 503;
        });
    }

    private static void assertClean(Path data) throws IOException {
        List<JournalScanner.Problem> problems = new ArrayList<>();
        var unused = new JournalScanner(data, problems::add, (done, total) -> {}).scan();
        assertThat(problems).isEmpty();
    }

    /** The oldest files are deleted although an output has not acknowledged them, and this is counted. */
    @Test
    @Tag("full")
    void dropsTheOldestFilesIfConfigured() throws Exception {
        Path config = Files.writeString(mountPoint.resolve("millrace.yaml"), """
                journal: {fileSize: 16M, whenFull: drop-oldest}
                outputs:
                  stuck: {type: syslog, host: 127.0.0.1, port: 1, transport: tcp}
                """);
        fill(mountPoint.resolve("ballast"), 800);
        Path data = mountPoint.resolve("data");
        try (Service service = Service.start(List.of(), data, "--config", config.toString(), "--receivers", "1");
                Forked sender = send(service, "50k", "400k", 0xd)) {
            assertThat(sender.awaitExit(SOON)).isZero();
            await().atMost(SOON).until(() -> service.ledger().get("inFlight").asLong() == 0);
            JsonNode ledger = service.ledger();
            assertThat(ledger.get("expiredUnread").asLong()).isPositive();
            JsonNode stuck = ledger.get("delivered").get("stuck");
            assertThat(stuck.get("expired").asLong())
                    .isEqualTo(ledger.get("expiredUnread").asLong());
            assertThat(stuck.get("pending").asLong() + stuck.get("expired").asLong())
                    .isEqualTo(ledger.get("journaled").asLong());
            assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
            service.stop();
        }
        assertClean(data);
        assertThat(Service.counter(data, Counter.EXPIRED_UNREAD_DATAGRAMS)).isPositive();
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    }
}
