package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.FreePort;
import io.millrace.bench.check.RunCheck;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.journal.recovery.JournalSummary;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Killed at random moments under load, the service comes back by itself and lies about nothing. How often is set with
 * {@code -Dmillrace.it.crashes=10}, the moments with {@code -Dmillrace.it.seed=…}. Each kill is followed by a look at the whole
 * journal, so that a new one is begun now and then.
 */
@Tag("calm")
@Timeout(3600)
class CrashIT {
    /** All slabs of the ring, those a receiver holds among them, each full of datagrams of 125 bytes. */
    private static final long MAX_IN_FLIGHT = 32 * (256 * 1024 / 144);

    private static final int RATE = 50_000;
    private static final int KILLS_PER_JOURNAL = 20;

    @TempDir
    private Path directory;

    private final long seed = Long.getLong("millrace.it.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<Long> readyMs = new ArrayList<>();
    private final List<Long> openMs = new ArrayList<>();
    private long crashes;
    private long journaled;

    /** What was known of a run just before it was killed. */
    private record Scrape(long lifetimeJournaled) {}

    @Test
    @Tag("full")
    void survivesKillsUnderLoad() throws Exception {
        survive(
                List.of(),
                Integer.getInteger("millrace.it.crashes", Integer.getInteger("millrace.it.kills", 5)),
                false);
    }

    /** In a container the service is process 1 in each run: no lock by process id can tell the runs apart. */
    @Test
    void survivesKillsWithTheSameProcessId() throws Exception {
        Needs.root("make a process id namespace");
        Needs.program("unshare");
        survive(List.of("unshare", "--pid", "--fork", "--mount-proc", "--"), 3, true);
    }

    private void survive(List<String> prefix, int kills, boolean forks) throws Exception {
        System.err.println("CrashIT: " + kills + " kills, seed " + seed);
        int port = FreePort.next();
        try (Forked sender = Forked.load(
                "--to", "127.0.0.1:" + port, "--rate", Integer.toString(RATE), "--duration", "1h", "--run", "c")) {
            for (int done = 0; done < kills; done += KILLS_PER_JOURNAL) {
                Path data = directory.resolve("data-" + done);
                killAgainAndAgain(prefix, data, port, Math.min(KILLS_PER_JOURNAL, kills - done), forks);
                assertThat(sender.isAlive()).describedAs("the sender goes on").isTrue();
                checkLedger(data, port, Math.min(KILLS_PER_JOURNAL, kills - done));
            }
        }
        assertThat(median(openMs))
                .describedAs("ms to open the journal, beside other tests")
                .isLessThan(5000);
        System.err.printf(
                "CrashIT: %d kills, %,d datagrams journaled, %,d counted as crash; ms to ready, JVM included: %s; ms to open the"
                        + " journal: %s%n",
                kills, journaled, crashes, range(readyMs), range(openMs));
    }

    private void killAgainAndAgain(List<String> prefix, Path data, int port, int kills, boolean forks)
            throws Exception {
        long crashBefore = 0;
        for (int kill = 0; kill < kills; kill++) {
            long startNs = System.nanoTime();
            try (Service service = Service.start(
                    prefix,
                    data,
                    "--listen",
                    "127.0.0.1:" + port,
                    "--receivers",
                    "1",
                    "--threading",
                    kill % 2 == 0 ? "shared" : "dedicated")) {
                readyMs.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs));
                openMs.add(service.journalOpenMs());
                assertThat(service.journalOpenMs())
                        .describedAs("ms to open the journal, without a wait of Chronicle's, which takes ten seconds")
                        .isLessThan(9000);
                long crash = service.ledger().get("lifetime").get("crash").asLong();
                assertThat(crash - crashBefore)
                        .describedAs("crash of run " + (kill - 1))
                        .isLessThan(MAX_IN_FLIGHT);
                crashBefore = crash;
                Scrape scrape = loadUntilTheMoment(service);
                killHard(service, forks);
                checkJournal(data, scrape);
            }
        }
    }

    /** The next start counts the losses of the last kill; then every received datagram is accounted for. */
    private void checkLedger(Path data, int port, int kills) throws Exception {
        try (Service service = Service.start(List.of(), data, "--listen", "127.0.0.1:" + port)) {
            assertThat(service.ledger().get("lastKilled").asBoolean()).isTrue();
            assertThat(service.get("/api/status").body()).contains("\"lastKilled\":true");
            assertThat(service.ledger().at("/lifetime/kills").asInt()).isEqualTo(kills);
            service.stop();
            assertThat(service.process().err()).anyMatch(line -> line.contains("was killed, or the host failed"));
        }
        try (Service service = Service.start(List.of(), data, "--listen", "127.0.0.1:" + port)) {
            assertThat(service.ledger().get("lastKilled").asBoolean()).isFalse();
            service.stop();
            assertThat(service.process().err()).noneMatch(line -> line.contains("was killed"));
        }
        long crash = Service.counter(data, DropReason.CRASH.counter());
        assertThat(Service.counter(data, Counter.RECEIVED_DATAGRAMS))
                .isEqualTo(Service.counter(data, Counter.JOURNALED_DATAGRAMS) + crash);
        crashes += crash;
        RunCheck check = RunCheck.of(Journal.open(data), 0xc);
        assertThat(check.duplicated()).isZero();
        assertThat(check.distinct()).isEqualTo(Service.counter(data, Counter.JOURNALED_DATAGRAMS));
        journaled += check.distinct();
    }

    private static String range(List<Long> values) {
        return String.format("%d to %d, median %d", Collections.min(values), Collections.max(values), median(values));
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private Scrape loadUntilTheMoment(Service service) throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100 + random.nextInt(900));
        JsonNode ledger = service.ledger();
        while (System.nanoTime() < until) {
            ledger = service.ledger();
        }
        return new Scrape(ledger.get("lifetime").get("journaled").asLong());
    }

    private static void killHard(Service service, boolean forks) throws IOException, InterruptedException {
        long pid = service.process().pid();
        if (forks) {
            // Process 1 of the namespace is the child of unshare, which only waits for it.
            ProcessHandle java =
                    ProcessHandle.of(pid).orElseThrow().children().findFirst().orElseThrow();
            Forked.signal(java.pid(), "KILL");
        } else {
            Forked.signal(pid, "KILL");
        }
        service.process().awaitExit(Duration.ofSeconds(10));
    }

    /** As the kill left it: whole, without hole or repeat, with everything in it that was said to be. */
    private static void checkJournal(Path data, Scrape scrape) throws IOException {
        List<JournalScanner.Problem> problems = new ArrayList<>();
        JournalSummary summary = new JournalScanner(data, problems::add, (done, total) -> {}).scan();
        assertThat(problems).isEmpty();
        assertThat(summary.datagrams()).isGreaterThanOrEqualTo(scrape.lifetimeJournaled());
        assertThat(summary.shards().get(0).firstSequence()).isZero();
        assertThat(summary.shards().get(0).nextSequence()).isEqualTo(summary.datagrams());
    }
}
