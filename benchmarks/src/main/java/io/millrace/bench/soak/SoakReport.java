package io.millrace.bench.soak;

import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** A soak as a document: what held, and what the service took from its host over the time. */
final class SoakReport {
    private static final double MIB = 1 << 20;
    private static final double KIB_IN_MIB = 1 << 10;
    private static final int MAX_POINTS = 600;

    private SoakReport() {}

    static Document of(Map<String, String> settings, List<Sample> samples, Verdict verdict, List<String> log) {
        Document document = new Document("Soak");
        document.text(verdict.holds() ? "Everything held." : "Not everything held.");
        List<List<String>> rows = new ArrayList<>();
        verdict.findings().forEach(found -> rows.add(List.of(found.text(), found.holds() ? "yes" : "NO")));
        document.table(List.of("what has to hold", "held"), rows);
        document.add(chart(
                "Memory of its own", "MiB", samples, Map.of("RssAnon", sample -> sample.memoryKib() / KIB_IN_MIB)));
        document.add(chart(
                "Descriptors and threads",
                "number",
                samples,
                Map.of("open files", Sample::openFiles, "threads", Sample::threads)));
        document.add(chart(
                "Waiting for outputs",
                "datagrams",
                samples,
                Map.of(
                        SoakPlan.ARCHIVE,
                        Sample::pendingArchive,
                        SoakPlan.WEB,
                        Sample::pendingWeb,
                        SoakPlan.QUEUE,
                        Sample::pendingQueue)));
        document.add(chart("Journal on disk", "MiB", samples, Map.of("files", sample -> sample.journalBytes() / MIB)));
        List<List<String>> environment = new ArrayList<>();
        settings.forEach((name, value) -> environment.add(List.of(name, value)));
        Environment.read().forEach((name, value) -> environment.add(List.of(name, value)));
        document.heading("Settings and environment").table(List.of("what", "value"), environment);
        return document.heading("What the service said").code(String.join("\n", log) + "\n");
    }

    private static Chart chart(
            String title, String unit, List<Sample> samples, Map<String, ToDoubleFunction<Sample>> figures) {
        int step = Math.max(1, samples.size() / MAX_POINTS);
        List<Chart.Series> series = new ArrayList<>();
        new TreeMap<>(figures).forEach((name, figure) -> {
            List<Chart.Point> points = new ArrayList<>();
            for (int i = 0; i < samples.size(); i += step) {
                points.add(new Chart.Point(samples.get(i).seconds() / 60, figure.applyAsDouble(samples.get(i))));
            }
            series.add(new Chart.Series(name, points));
        });
        return new Chart(title, "minutes", unit, Chart.Kind.TIME, series);
    }
}
