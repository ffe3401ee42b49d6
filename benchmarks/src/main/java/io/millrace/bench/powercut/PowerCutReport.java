package io.millrace.bench.powercut;

import io.millrace.bench.host.Environment;
import io.millrace.bench.report.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results of a power-cut test, as lines and as a document. */
final class PowerCutReport {
    private final List<CutResult> results = new ArrayList<>();
    private final List<String> runViolations = new ArrayList<>();
    private final List<String> runs = new ArrayList<>();

    void add(CutResult result) {
        results.add(result);
    }

    /** What was wrong without a cut. */
    void addViolation(String violation) {
        runViolations.add(violation);
    }

    /** A line about a run of the service. */
    void addRun(String line) {
        runs.add(line);
    }

    int cuts() {
        return results.size();
    }

    long violated() {
        return results.stream().filter(result -> !result.violations().isEmpty()).count();
    }

    boolean passed() {
        return runViolations.isEmpty() && violated() == 0;
    }

    /** The table, what was wrong, and the totals. */
    List<String> lines(long seed) {
        List<List<String>> rows = new ArrayList<>(List.of(CutResult.COLUMNS));
        results.forEach(result -> rows.add(result.cells()));
        List<String> lines = new ArrayList<>(columns(rows));
        lines.addAll(runs);
        lines.addAll(wrong());
        lines.addAll(totals(seed));
        return lines;
    }

    private List<String> wrong() {
        List<String> lines = new ArrayList<>();
        runViolations.forEach(violation -> lines.add("VIOLATION: " + violation));
        for (CutResult result : results) {
            result.violations()
                    .forEach(violation ->
                            lines.add("VIOLATION: cut " + result.cut().number() + ": " + violation));
        }
        return lines;
    }

    private List<String> totals(long seed) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,d cuts, seed %d: %,d answered RELP messages, %,d of them missing; lost at most %,d ms of TCP and %,d ms of UDP",
                results.size(),
                seed,
                results.stream().mapToLong(result -> result.cut().answered()).sum(),
                results.stream().mapToLong(CutResult::answeredMissing).sum(),
                results.stream()
                        .mapToLong(result -> result.tcp().millis())
                        .max()
                        .orElse(0),
                results.stream()
                        .mapToLong(result -> result.udp().millis())
                        .max()
                        .orElse(0)));
        lines.add(
                passed()
                        ? "passed"
                        : String.format(Locale.ROOT, "FAILED: %,d of %,d cuts have violations", violated(), cuts()));
        return lines;
    }

    /** Columns as wide as their widest cell, numbers to the right. */
    private static List<String> columns(List<List<String>> rows) {
        int[] widths = new int[CutResult.COLUMNS.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(i == 0 ? "" : "  ")
                        .append(" ".repeat(widths[i] - row.get(i).length()))
                        .append(row.get(i));
            }
            lines.add(line.toString());
        }
        return lines;
    }

    Document document(Map<String, String> settings, long seed) {
        Document document = new Document("Power cuts");
        totals(seed).forEach(document::text);
        List<List<String>> rows = new ArrayList<>();
        results.forEach(result -> rows.add(result.cells()));
        document.table(CutResult.COLUMNS, rows);
        List<String> details = new ArrayList<>(runs);
        details.addAll(wrong());
        if (!details.isEmpty()) {
            document.code(String.join("\n", details) + "\n");
        }
        List<List<String>> environment = new ArrayList<>();
        settings.forEach((name, value) -> environment.add(List.of(name, value)));
        Environment.read().forEach((name, value) -> environment.add(List.of(name, value)));
        return document.heading("Settings and environment").table(List.of("property", "value"), environment);
    }
}
