package io.millrace.app.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.app.fault.Fault;
import io.millrace.app.fault.FaultKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The metrics of alerts, and their table in docs/reference/metrics.md. Tests run in the folder of their module. {@code
 * -Dmillrace.docs.write=true} writes the table instead of comparing it.
 */
class AlertMetricsTest {
    private static final Path REFERENCE = Path.of("..", "docs", "reference", "metrics.md");
    private static final String SECTION = "## Alerts";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AlertCounts counts = new AlertCounts();
    private List<Fault> firing = List.of();
    private final AlertMetrics metrics = new AlertMetrics(() -> firing, () -> Map.of("webhooks.ops", counts));

    private static Fault silent(int number) {
        return new Fault(FaultKind.SOURCE_SILENT, "source" + number, Fault.Level.NOTICE, "silent", null, null);
    }

    private String scrape() {
        metrics.bindTo(registry);
        return registry.scrape();
    }

    @Test
    void seriesExistsWhileTheAlertFires() {
        assertThat(scrape()).doesNotContain("millrace_alert_firing{");
        firing = List.of(silent(1));
        assertThat(scrape()).contains("millrace_alert_firing{kind=\"source-silent\",subject=\"source1\"} 1.0");
        firing = List.of();
        assertThat(scrape()).doesNotContain("millrace_alert_firing{");
    }

    @Test
    void seriesAreBounded() {
        firing = IntStream.range(0, 1000).mapToObj(AlertMetricsTest::silent).toList();
        String text = scrape();
        assertThat(text.lines().filter(line -> line.startsWith("millrace_alert_firing{")))
                .hasSize(AlertMetrics.MAX_SUBJECTS + 1);
        assertThat(text).contains("millrace_alert_firing{kind=\"source-silent\",subject=\"others\"} 1.0");
    }

    @Test
    void notificationsAreCounted() {
        counts.sent().set(3);
        counts.failedAttempts().set(2);
        counts.unsent().set(1);
        assertThat(scrape())
                .contains(
                        "millrace_alert_sent_notifications_total{target=\"webhooks.ops\"} 3.0",
                        "millrace_alert_failed_attempts_total{target=\"webhooks.ops\"} 2.0",
                        "millrace_alert_unsent_notifications_total{target=\"webhooks.ops\"} 1.0");
    }

    @Test
    void referenceNamesEveryMetric() throws IOException {
        firing = List.of(silent(1));
        metrics.bindTo(registry);
        List<String> rows = registry.getMeters().stream()
                .collect(Collectors.toMap(
                        meter -> meter.getId().getName(), AlertMetricsTest::row, (one, other) -> one, TreeMap::new))
                .values()
                .stream()
                .toList();
        List<String> lines = new ArrayList<>(Files.readAllLines(REFERENCE));
        int first = lines.indexOf(SECTION);
        while (!lines.get(first).startsWith("|---")) {
            first++;
        }
        first++;
        int end = first;
        while (end < lines.size() && lines.get(end).startsWith("|")) {
            end++;
        }
        List<String> found = List.copyOf(lines.subList(first, end));
        if (Boolean.getBoolean("millrace.docs.write")) {
            lines.subList(first, end).clear();
            lines.addAll(first, rows);
            Files.write(REFERENCE, lines);
            found = rows;
        }
        assertThat(found)
                .as("run with -Dmillrace.docs.write=true to write it again")
                .containsExactlyElementsOf(rows);
    }

    private static String row(Meter meter) {
        boolean counter = meter.getId().getType() == Meter.Type.COUNTER;
        String labels = meter.getId().getTags().stream()
                .map(Tag::getKey)
                .map(key -> "`" + key + "`")
                .collect(Collectors.joining(", "));
        return "| `" + meter.getId().getName().replace('.', '_') + (counter ? "_total" : "") + "` | "
                + (counter ? "counter" : "gauge") + " | " + labels + " | "
                + meter.getId().getDescription() + " |";
    }
}
