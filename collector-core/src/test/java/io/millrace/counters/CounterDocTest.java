package io.millrace.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of metrics in docs/record-format.md is made from the enum. Tests run in the folder of their module. */
class CounterDocTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "record-format.md");
    private static final String HEAD = "| id | metric | type | meaning |";

    @Test
    void theTableNamesEveryCounterAndNoOther() throws IOException {
        List<String> rows = Files.readAllLines(DOCUMENT).stream()
                .dropWhile(line -> !line.equals(HEAD))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(
                        Arrays.stream(Counter.values()).map(CounterDocTest::row).toList());
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
