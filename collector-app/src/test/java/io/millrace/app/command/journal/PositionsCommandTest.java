package io.millrace.app.command.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.Main;
import io.millrace.collector.Counter;
import io.millrace.internal.deliver.PositionFile;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.Journal;
import io.millrace.sink.Positions;
import io.millrace.sink.Positions.Counts;
import io.millrace.sink.Positions.Range;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands say of outputs with an end, whose journal goes on: {@code journal positions} and {@code ledger}. */
class PositionsCommandTest {
    private static final Instant TO = Instant.parse("2026-11-21T09:00:00Z");

    @TempDir
    private Path data;

    private String run(String... args) {
        PrintStream out = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, UTF_8));
        try {
            assertThat(Main.execute(args)).isZero();
            return bytes.toString(UTF_8);
        } finally {
            System.setOut(out);
        }
    }

    private void write(String output, long next, @Nullable Range range) throws IOException {
        long id = Journal.open(data).meta().journalId();
        PositionFile.of(data, output).write(new Positions(id, new long[] {next}, Counts.NONE, range));
    }

    @BeforeEach
    void journalOfTen() throws IOException {
        try (TestJournal journal = TestJournal.openRolling(data, 1, 1)) {
            for (int i = 0; i < 10; i++) {
                journal.append(0, TestDatagram.of("message " + i));
            }
            journal.counters(0).set(Counter.EXPIRED_DATAGRAMS, 4);
        }
        write("done", 3, new Range(TO, new long[] {3}));
        write("live", 3, null);
        write("replay", 3, new Range(TO, new long[] {6}));
    }

    @Test
    void positionsEndWithTheRange() {
        assertThat(run("journal", "positions", "--data", data.toString()))
                .contains("done shard 0: next 3 of 3, finished")
                .contains("live shard 0: next 3 of 10, 7 pending")
                .contains("replay shard 0: next 3 of 6, 3 pending");
        String counts = "\"acked\":0,\"filtered\":0,\"deadLettered\":0,\"missing\":0,";
        assertThat(run("journal", "positions", "--data", data.toString(), "--json"))
                .contains("\"done\":{" + counts + "\"finished\":true,\"shards\":[{\"shard\":0,\"next\":3,\"end\":3}]}")
                .contains("\"live\":{" + counts + "\"shards\":[{\"shard\":0,\"next\":3,\"end\":10}]}")
                .contains("\"replay\":{" + counts
                        + "\"finished\":false,\"shards\":[{\"shard\":0,\"next\":3,\"end\":6}]}");
    }

    @Test
    void ledgerCountsOnlyTheRange() {
        String counts = "\"acked\":0,\"filtered\":0,\"deadLettered\":0,\"missing\":0,";
        assertThat(run("ledger", "--data", data.toString(), "--json"))
                .contains("\"done\":{" + counts + "\"pending\":0,\"expired\":0}")
                .contains("\"live\":{" + counts + "\"pending\":6,\"expired\":1}")
                .contains("\"replay\":{" + counts + "\"pending\":2,\"expired\":1}");
    }

    @Test
    void setKeepsTheEnd() {
        assertThat(run("journal", "positions", "--data", data.toString(), "--set", "done=begin"))
                .contains("done shard 0: next 0 of 3, 3 pending");
    }
}
