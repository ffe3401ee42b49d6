package io.millrace.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.bench.DocsPicture;
import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.Svg;
import io.millrace.bench.socket.ConnectionsCommand;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The charts of {@code docs/benchmarks} show the results that lie beside them. */
class PublishedChartsTest {
    private static final Path BENCHMARKS = Path.of("..", "docs", "benchmarks");
    /** A comma that is not in quotes. */
    private static final Pattern COMMA = Pattern.compile(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)");

    private static final Pattern CELL_END = Pattern.compile("\\s*\\|\\s*");

    @Test
    void chartsOfSuitesShowTheirTrials() throws IOException {
        check("lossless", new LosslessCommand());
        check("lossless-file", new LosslessCommand());
        check("pipeline", new PipelineCommand());
        check("streams", new StreamsCommand());
    }

    @Test
    void chartOfConnectionsShowsItsTable() throws IOException {
        List<List<String>> rows = Files.readAllLines(BENCHMARKS.resolve("connections/report.md")).stream()
                .filter(line -> line.matches("\\| [\\d,]+ .*"))
                .map(line -> Arrays.asList(CELL_END.split(line.substring(2))))
                .toList();
        assertThat(rows).hasSizeGreaterThan(1);
        DocsPicture.check("benchmarks/connections/chart-1.svg", Svg.draw(ConnectionsCommand.chart(rows)));
    }

    /** The first chart of a report. */
    private static void check(String folder, SuiteCommand command) throws IOException {
        Document report = command.report(read(BENCHMARKS.resolve(folder).resolve("results.csv"), command.suite()));
        Chart chart = (Chart) report.blocks().stream()
                .filter(Chart.class::isInstance)
                .findFirst()
                .orElseThrow();
        DocsPicture.check("benchmarks/" + folder + "/chart-1.svg", Svg.draw(chart));
    }

    private static RunData read(Path csv, String suite) throws IOException {
        List<String> lines = Files.readAllLines(csv);
        String[] columns = lines.get(0).split(",");
        List<TrialResult> trials = lines.stream()
                .skip(1)
                .map(line -> trial(columns, COMMA.split(line, -1)))
                .toList();
        List<RunData.SubjectData> subjects = trials.stream()
                .map(TrialResult::subject)
                .distinct()
                .map(name -> new RunData.SubjectData(name, "", "", null))
                .toList();
        return new RunData(suite, "full", "", true, Map.of(), Map.of(), subjects, trials);
    }

    private static TrialResult trial(String[] columns, String[] cells) {
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < columns.length; i++) {
            row.put(columns[i], cells[i].replace("\"", ""));
        }
        int segments = Integer.parseInt(row.getOrDefault("gso_segments", "1"));
        Load load = new Load(
                count(row, "rate"),
                Double.parseDouble(row.get("seconds")),
                (int) count(row, "size"),
                (int) count(row, "sources"),
                segments,
                row.get("pattern"));
        return new TrialResult(
                row.get("part"),
                row.get("subject"),
                (int) count(row, "round"),
                load,
                count(row, "sent"),
                count(row, "received"),
                count(row, "duplicated"),
                count(row, "reordered"),
                null,
                Double.parseDouble(row.get("achieved_rate")),
                decimal(row, "ns_per_datagram"),
                decimal(row, "cpu_percent"),
                count(row, "asked_bytes"),
                null,
                null,
                Double.parseDouble(row.get("drain_seconds")),
                count(row, "memory_bytes"),
                Double.parseDouble(row.get("steal_percent")),
                row.get("detail"),
                row.get("void").isEmpty() ? null : row.get("void"));
    }

    private static long count(Map<String, String> row, String column) {
        return Long.parseLong(row.get(column));
    }

    private static Double decimal(Map<String, String> row, String column) {
        String text = row.getOrDefault(column, "");
        return text.isEmpty() ? null : Double.valueOf(text);
    }
}
