package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.bench.check.RunCheck;
import io.millrace.counters.Counter;
import io.millrace.journal.JournalScanner;
import io.millrace.read.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is really full: the service says so, loses nothing uncounted, and goes on when there is room. */
@Timeout(180)
class DiskFullIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path mountPoint;

    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        Needs.root("mount a small tmpfs");
        mounted = run("mount", "-t", "tmpfs", "-o", "size=240m", "tmpfs", mountPoint.toString());
        Needs.that(mounted, "no tmpfs can be mounted here");
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            // Lazily: this process still has the counters mapped, until the collector of garbage comes by.
            assertThat(run("umount", "-l", mountPoint.toString())).isTrue();
        }
    }

    @Test
    void saysSoAndGoesOnByItselfWhenThereIsRoom() throws Exception {
        Path ballast = mountPoint.resolve("ballast");
        Files.write(ballast, new byte[110 << 20]);
        Path data = mountPoint.resolve("data");
        try (Service service = Service.start(List.of(), data);
                Forked sender = Forked.send(
                        List.of(),
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
                        "--tolerate",
                        "100",
                        "--json")) {
            await().atMost(SOON).until(() -> service.get("/readyz").statusCode() == 503);
            assertThat(service.get("/readyz").body())
                    .contains("96 MiB must be free")
                    .contains("journal/shard-0");
            assertThat(sender.awaitExit(SOON)).isZero();
            assertThat(service.ledger().get("inFlight").asLong()).isPositive();

            Files.delete(ballast);
            await().atMost(SOON).until(() -> service.get("/readyz").statusCode() == 200);
            JsonNode sent = new ObjectMapper().readTree(String.join("", sender.out()));
            service.stop();

            long received = Service.counter(data, Counter.RECEIVED_DATAGRAMS);
            long drops = Service.counter(data, Counter.SOCKET_DROPS);
            long journalFull = Service.counter(data, Counter.JOURNAL_FULL_DROPS);
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

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    }
}
