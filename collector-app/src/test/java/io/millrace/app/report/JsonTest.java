package io.millrace.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounter;
import io.millrace.collector.HostCounters;
import io.millrace.collector.Ledger;
import io.millrace.internal.journal.recovery.JournalExport;
import io.millrace.internal.journal.recovery.JournalGap;
import io.millrace.internal.journal.recovery.JournalRepair;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.internal.journal.recovery.JournalSummary;
import io.millrace.journal.GapReason;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Positions;
import io.millrace.sink.Refusal;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** JSON of commands, which scripts read: names, order and form of all values, as in {@code report/json.txt}. */
class JsonTest {
    private static final Path FILE = Path.of("/data/s0/1.cq4");
    private static final List<JournalScanner.Problem> PROBLEMS =
            List.of(new JournalScanner.Problem(FILE, 4096, "a \"bad\" batch"));
    private static final JournalSummary SUMMARY = new JournalSummary(
            -2,
            10,
            20,
            30,
            40,
            List.of(new JournalSummary.Shard(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)),
            List.of(
                    new JournalGap(0, 5, 6, FILE, 7, 8, 9, null),
                    new JournalGap(1, 5, 6, FILE, 7, 0, 9, GapReason.LOST)));
    private static final Positions.Counts COUNTS = new Positions.Counts(1_000, 2, 3, 4);
    private static final Map<DropReason, Long> DROPS = Map.of(
            DropReason.DENIED,
            1L,
            DropReason.SOCKET_BUFFER,
            2L,
            DropReason.AFTER_STOP,
            3L,
            DropReason.CRASH,
            4L,
            DropReason.POWER_FAILURE,
            5L);
    private static final Ledger LEDGER = new Ledger(
            Instant.parse("2026-11-21T08:00:00Z"),
            null,
            1_234_567,
            1_234_000,
            67,
            new Ledger.Chunks(5, 6),
            DROPS,
            HostCounters.of(Map.of(HostCounter.NIC, 7L)),
            2,
            8,
            new Ledger.Streams(1, 2, 3, 4, 5, 6),
            true,
            new Ledger.Lifetime(9_000_000, 8_900_000, new Ledger.Chunks(9, 10), DROPS, 11, 3));
    private static final SinkStatus OUTPUT = new SinkStatus(
            "archive",
            COUNTS,
            5,
            6,
            7,
            8_000_000,
            9,
            10,
            11,
            12,
            13,
            14,
            Map.of(Refusal.TOO_LONG, 15L),
            Map.of(Adjustment.RENAMED, 16L),
            17,
            null,
            18,
            false,
            null);

    private static void assertJson(String json, String name) throws IOException {
        assertThat(Files.readAllLines(Path.of("src", "test", "resources", "report", "json.txt")))
                .contains(name + " " + json);
    }

    @Test
    void ledgerHasTheStateOfOutputs() throws IOException {
        assertJson(Json.ledgerOf(LEDGER, List.of(OUTPUT)), "ledger-of-service");
    }

    @Test
    void ledgerHasStoredPositionsOfOutputs() throws IOException {
        assertJson(
                Json.ledger(LEDGER, List.of(new LedgerText.Delivered("old", true, COUNTS, 5, 6)))
                        .replaceAll(".*(\"delivered\":\\{.*?}).*", "$1"),
                "ledger-delivered");
    }

    @Test
    void positionsHaveEachShard() throws IOException {
        Positions positions = new Positions(7, new long[] {3, 4}, COUNTS);
        assertJson(Json.positions(Map.of("archive", positions), new long[] {8, 9}), "positions");
        Positions ended = positions.within(new Positions.Range(Instant.EPOCH, new long[] {3, 4}));
        assertJson(Json.positions(Map.of("archive", ended), new long[] {8, 9}), "positions-finished");
    }

    @Test
    void journalHasProblemsAndGaps() throws IOException {
        assertJson(JournalJson.verify(SUMMARY, PROBLEMS, List.of("a note")).json(), "journal-verify");
    }

    @Test
    void repairAndExportHaveTheirResults() throws IOException {
        assertJson(
                JournalJson.repair(new JournalRepair.Report(SUMMARY, PROBLEMS, 1, 2, Path.of("/data/aside")))
                        .json(),
                "journal-repair");
        assertJson(
                JournalJson.repair(new JournalRepair.Report(SUMMARY, List.of(), 0, 0, null))
                        .json(),
                "journal-nothing-to-repair");
        assertJson(
                JournalJson.export(new JournalExport.Report(1, 2, PROBLEMS), Path.of("/copy"))
                        .json(),
                "journal-export");
    }
}
