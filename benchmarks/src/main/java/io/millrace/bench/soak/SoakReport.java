package io.millrace.bench.soak;

import io.millrace.bench.host.Environment;
import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Report of a soak test: the findings, and the resources of the service over time. */
final class SoakReport {
    private static final double MIB = 1 << 20;
    private static final double KIB_IN_MIB = 1 << 10;
    private static final int MAX_POINTS = 600;

    private SoakReport() {}

    static Document of(Map<String, String> settings, List<SoakSample> samples, SoakVerdict verdict, List<String> log) {
        Document document = new Document("Soak");
        document.text(verdict.passed() ? "Passed." : "Failed.");
        List<List<String>> rows = new ArrayList<>();
        verdict.findings().forEach(found -> rows.add(List.of(found.text(), found.passed() ? "yes" : "NO")));
        document.table(List.of("condition", "passed"), rows);
        document.add(chart(
                "Anonymous memory", "MiB", samples, Map.of("RssAnon", sample -> sample.memoryKib() / KIB_IN_MIB)));
        document.add(chart(
                "Descriptors and threads",
                "number",
                samples,
                Map.of("open files", SoakSample::openFiles, "threads", SoakSample::threads)));
        document.add(chart(
                "Undelivered",
                "datagrams",
                samples,
                Map.of(
                        SoakPlan.ARCHIVE,
                        SoakSample::pendingArchive,
                        SoakPlan.WEB,
                        SoakSample::pendingWeb,
                        SoakPlan.QUEUE,
                        SoakSample::pendingQueue)));
        document.add(chart("Journal on disk", "MiB", samples, Map.of("files", sample -> sample.journalBytes() / MIB)));
        List<List<String>> environment = new ArrayList<>();
        settings.forEach((name, value) -> environment.add(List.of(name, value)));
        Environment.read().forEach((name, value) -> environment.add(List.of(name, value)));
        document.heading("Settings and environment").table(List.of("property", "value"), environment);
        return document.heading("Log of the service").code(String.join("\n", log) + "\n");
    }

    private static Chart chart(
            String title, String unit, List<SoakSample> samples, Map<String, ToDoubleFunction<SoakSample>> values) {
        int step = Math.max(1, samples.size() / MAX_POINTS);
        List<Chart.Series> series = new ArrayList<>();
        new TreeMap<>(values).forEach((name, value) -> {
            List<Chart.Point> points = new ArrayList<>();
            for (int i = 0; i < samples.size(); i += step) {
                points.add(new Chart.Point(samples.get(i).seconds() / 60, value.applyAsDouble(samples.get(i))));
            }
            series.add(new Chart.Series(name, points));
        });
        return new Chart(title, "minutes", unit, Chart.Kind.TIME, series);
    }
}
