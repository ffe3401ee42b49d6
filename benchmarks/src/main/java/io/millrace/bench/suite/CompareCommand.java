package io.millrace.bench.suite;

import io.millrace.bench.command.BenchHelpOption;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.RunFolder;
import io.millrace.bench.report.Statistics;
import io.millrace.bench.report.TextDocument;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.TrialResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code millrace bench compare}: two runs side by side. */
@Command(
        name = "compare",
        description = {
            "Set two runs side by side: what each receiver lost and cost under the same load.",
            "",
            "Statistics of two runs are of two moments of a machine. Where both have the same receiver of reference, its"
                    + " own change says how far the machine moved."
        },
        footer = {"", "Example:", "  millrace bench compare bench-results/cost-A bench-results/cost-B"})
public final class CompareCommand extends BenchHelpOption implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "A", description = "The folder of a run.")
    @SuppressWarnings("NullAway.Init") // Required.
    private Path first;

    @Parameters(index = "1", paramLabel = "B", description = "The folder of another.")
    @SuppressWarnings("NullAway.Init") // Required.
    private Path second;

    @Override
    public Integer call() throws IOException {
        RunData a = RunFolder.read(first);
        RunData b = RunFolder.read(second);
        Set<String> differences = new TreeSet<>();
        a.environment()
                .forEach((name, value) ->
                        note(differences, name, value, b.environment().get(name)));
        a.settings().forEach((name, value) -> {
            if (!name.equals(RunData.COMMAND)) {
                note(differences, name, value, b.settings().get(name));
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
                    "millrace bench: the two, of %s and %s, have no receiver under the same load in common%n",
                    a.suite(), b.suite());
            return 1;
        }
        differences.forEach(difference -> System.err.println("millrace bench: not the same in both: " + difference));
        if (a.mode().equals("quick") || b.mode().equals("quick")) {
            System.err.println("millrace bench: quick runs are too short to be compared; this shows how it is done");
        }
        Document document = new Document("Two runs");
        document.heading("A is " + first + ", B is " + second)
                .table(List.of("part", "receiver", "load", "A lost, %", "B lost, %", "A ns", "B ns", "B/A"), rows);
        System.out.print(TextDocument.text(document));
        return 0;
    }

    private static void note(
            Set<String> differences, String name, String value, @org.jspecify.annotations.Nullable String other) {
        if (!value.equals(other)) {
            differences.add(name + ": " + value + " in A, " + (other == null ? "unknown" : other) + " in B");
        }
    }

    /** What trials are compared by. */
    private record Key(String part, String subject, long rate, int size, int gso, double seconds) {
        static Key of(TrialResult trial) {
            return new Key(
                    trial.suite(),
                    trial.subject(),
                    trial.load().rate(),
                    trial.load().size(),
                    trial.load().gso(),
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
            double costA = Statistics.median(costs(ofA));
            double costB = Statistics.median(costs(ofB));
            rows.add(List.of(
                    key.part(),
                    key.subject(),
                    String.format(
                            Locale.ROOT,
                            "%s, %d bytes",
                            key.rate() == Load.MAX
                                    ? "all the sender can"
                                    : String.format(Locale.ROOT, "%,d/s", key.rate()),
                            key.size()),
                    lost(ofA),
                    lost(ofB),
                    Statistics.medianAndRange(costs(ofA), "%,.0f"),
                    Statistics.medianAndRange(costs(ofB), "%,.0f"),
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

    private static List<Double> costs(List<TrialResult> trials) {
        Function<TrialResult, List<Double>> cost =
                trial -> trial.nanosPerDatagram() == null ? List.of() : List.of(trial.nanosPerDatagram());
        return trials.stream().map(cost).flatMap(List::stream).toList();
    }

    private static String lost(List<TrialResult> trials) {
        return Statistics.medianAndRange(
                trials.stream().map(trial -> 100 * trial.loss()).toList(), "%.2f");
    }
}
