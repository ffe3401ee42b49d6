package io.millrace.bench.suite;

import io.millrace.bench.report.Document;
import io.millrace.bench.report.Markdown;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.RunFolder;
import io.millrace.bench.report.Statistics;
import io.millrace.bench.trial.TrialResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace bench compare}: compares two runs. */
@Command(
        name = "compare",
        description = {
            "Compare two runs: loss and CPU time of each receiver under the same load.",
            "",
            "The speed of a host changes between runs. If both runs have the same reference receiver, its change shows by"
                    + " how much."
        },
        footer = {
            "",
            "Examples:",
            "  millrace bench compare bench-results/cost-A bench-results/cost-B",
            "  millrace bench compare benchmarks/results/pipeline.json bench-results/pipeline-A"
        })
public final class CompareCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "A", description = "The folder of a run, or its results.json.")
    @SuppressWarnings("NullAway.Init") // Required.
    private Path first;

    @Parameters(index = "1", paramLabel = "B", description = "The same of another run.")
    @SuppressWarnings("NullAway.Init") // Required.
    private Path second;

    @Override
    public Integer call() throws IOException {
        RunData a = RunFolder.read(first);
        RunData b = RunFolder.read(second);
        Set<String> differences = new TreeSet<>();
        a.environment()
                .forEach((name, value) ->
                        addDifference(differences, name, value, b.environment().get(name)));
        a.settings().forEach((name, value) -> {
            if (!name.equals(RunData.COMMAND)) {
                addDifference(differences, name, value, b.settings().get(name));
            }
        });
        b.settings().forEach((name, value) -> {
            if (!name.equals(RunData.COMMAND) && !a.settings().containsKey(name)) {
                differences.add(name + ": unknown in A, " + value + " in B");
            }
        });
        List<List<String>> rows = rows(a, b);
        if (rows.isEmpty()) {
            System.err.printf(
                    "millrace bench: the runs, of %s and %s, have no receiver under the same load in common%n",
                    a.suite(), b.suite());
            return 1;
        }
        differences.forEach(difference -> System.err.println("millrace bench: different settings: " + difference));
        if (a.mode().equals("quick") || b.mode().equals("quick")) {
            System.err.println("millrace bench: quick runs are too short to be compared");
        }
        Document document = new Document("Two runs");
        document.heading("A is " + first + ", B is " + second)
                .table(List.of("part", "receiver", "load", "A lost, %", "B lost, %", "A ns", "B ns", "B/A"), rows);
        System.out.print(Markdown.tables(document));
        return 0;
    }

    private static void addDifference(Set<String> differences, String name, String value, @Nullable String other) {
        if (!value.equals(other)) {
            differences.add(name + ": " + value + " in A, " + (other == null ? "unknown" : other) + " in B");
        }
    }

    /** The key of comparable trials. */
    private record Key(String part, String subject, String load, long rate, int size, int gsoSegments, double seconds) {
        static Key of(TrialResult trial) {
            return new Key(
                    trial.suite(),
                    trial.subject(),
                    trial.load().rateText() + ", " + trial.load().size() + " bytes",
                    trial.load().rate(),
                    trial.load().size(),
                    trial.load().gsoSegments(),
                    trial.load().seconds());
        }
    }

    private static List<List<String>> rows(RunData a, RunData b) {
        List<List<String>> rows = new ArrayList<>();
        List<Key> keys = a.trials().stream()
                .filter(TrialResult::valid)
                .map(Key::of)
                .distinct()
                .toList();
        for (Key key : keys) {
            List<TrialResult> ofA = trials(a, key);
            List<TrialResult> ofB = trials(b, key);
            if (ofB.isEmpty()) {
                continue;
            }
            double costA = Statistics.median(Statistics.costs(ofA));
            double costB = Statistics.median(Statistics.costs(ofB));
            rows.add(List.of(
                    key.part(),
                    key.subject(),
                    key.load(),
                    lost(ofA),
                    lost(ofB),
                    Statistics.medianAndRange(Statistics.costs(ofA), "%,.0f"),
                    Statistics.medianAndRange(Statistics.costs(ofB), "%,.0f"),
                    Double.isNaN(costA) || Double.isNaN(costB)
                            ? "–"
                            : String.format(Locale.ROOT, "%.2f", costB / costA)));
        }
        return rows;
    }

    private static List<TrialResult> trials(RunData data, Key key) {
        return data.trials().stream()
                .filter(trial -> trial.valid() && Key.of(trial).equals(key))
                .toList();
    }

    private static String lost(List<TrialResult> trials) {
        return Statistics.medianAndRange(
                trials.stream().map(trial -> 100 * trial.loss()).toList(), "%.2f");
    }
}
