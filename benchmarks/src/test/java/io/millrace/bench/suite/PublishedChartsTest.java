package io.millrace.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.bench.DocsPicture;
import io.millrace.bench.report.Chart;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.RunFolder;
import io.millrace.bench.report.Svg;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The charts of {@code docs/benchmarks} show the runs in {@code benchmarks/results}. */
class PublishedChartsTest {
    private static final Path RESULTS = Path.of("results");

    @Test
    void chartsShowTheirRuns() throws IOException {
        check("peers", new PeersCommand(), "loss.svg", "cpu.svg", "latency.svg");
    }

    private static void check(String run, SuiteCommand command, String... pictures) throws IOException {
        RunData data = RunFolder.read(RESULTS.resolve(run + ".json"));
        assertThat(data.complete()).isTrue();
        assertThat(data.mode()).isEqualTo("full");
        List<Chart> charts = command.report(data).blocks().stream()
                .filter(Chart.class::isInstance)
                .map(Chart.class::cast)
                .toList();
        assertThat(charts).hasSizeGreaterThanOrEqualTo(pictures.length);
        for (int i = 0; i < pictures.length; i++) {
            DocsPicture.check("benchmarks/" + pictures[i], Svg.draw(charts.get(i)));
        }
    }
}
