package io.millrace.internal.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The table of metrics in docs/reference/record-format.md is made from the enum. Tests run in the folder of their module. {@code
 * -Dmillrace.docs.write=true} writes the table instead of comparing it.
 */
class CounterDocTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "reference", "record-format.md");
    private static final String HEAD = "| id | metric | type | meaning |";

    @Test
    void tableMatchesTheCounters() throws IOException {
        List<String> lines = Files.readAllLines(DOCUMENT);
        int begin = lines.indexOf(HEAD) + 2;
        int end = begin;
        while (end < lines.size() && lines.get(end).startsWith("|")) {
            end++;
        }
        List<String> rows =
                Arrays.stream(Counter.values()).map(CounterDocTest::row).toList();
        if (Boolean.getBoolean("millrace.docs.write")) {
            List<String> written = new ArrayList<>(lines.subList(0, begin));
            written.addAll(rows);
            written.addAll(lines.subList(end, lines.size()));
            Files.write(DOCUMENT, written);
            return;
        }
        assertThat(lines.subList(begin, end))
                .as("run with -Dmillrace.docs.write=true to write it again")
                .isEqualTo(rows);
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
