package io.millrace.internal.counters;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.structure.DocTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The tables of counters and of drop reasons are made from their definitions. */
class CounterDocTest {
    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void tableMatchesTheCounters() throws IOException {
        DocTable.check(
                DOCS.resolve("reference/record-format.md"),
                "| id | metric | type | meaning |",
                Counter.values().stream().map(CounterDocTest::row).toList());
    }

    @Test
    void tableMatchesTheDropReasons() throws IOException {
        DocTable.check(
                DOCS.resolve("operate/drop-reasons.md"),
                "| drop point | field | what happened | page |",
                Arrays.stream(DropReason.values()).map(DropReasonRow::of).toList());
    }

    private static String row(Counter counter) {
        String name = "millrace_" + counter.metricName().replace('.', '_');
        return switch (counter.kind()) {
            case TOTAL -> row(counter, name + "_total", "counter");
            case HIGH_WATER -> row(counter, name, "gauge, since the start");
            case STATE -> row(counter, name, "gauge");
        };
    }

    private static String row(Counter counter, String metric, String type) {
        return "| " + counter.id() + " | `" + metric + "` | " + type + " | " + counter.help() + " |";
    }
}
