package io.millrace.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.bench.report.Document;
import io.millrace.bench.report.Markdown;
import io.millrace.bench.report.RunData;
import io.millrace.bench.report.RunFolder;
import io.millrace.bench.subject.LaunchSettings;
import io.millrace.bench.subject.Subject;
import io.millrace.bench.trial.CheckedSeries;
import io.millrace.bench.trial.CountedSeries;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.TrialResult;
import io.millrace.bench.trial.TrialRunner;
import io.millrace.bench.trial.TrialSeries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The searches, with a fake receiver whose limits are known. */
class SearchTest {
    private static final long SENDER_LIMIT = 1_500_000;

    @TempDir
    private Path directory;

    private interface SearchRunner extends TrialRunner {
        @Override
        default LaunchSettings launch(Path directory) {
            return new LaunchSettings(directory, 1 << 20, List.of());
        }

        @Override
        default TrialSeries series(Subject subject) {
            return (suite, load, round) -> run(suite, subject, load, round);
        }

        @Override
        default CheckedSeries checkedSeries(Subject subject, Load warmUp) {
            throw new AssertionError("a search compares no output");
        }

        @Override
        default CountedSeries countedSeries(Subject subject, Load warmUp) {
            throw new AssertionError("a search compares no output");
        }
    }

    /**
     * A receiver that loses nothing up to a rate, and all above it.
     *
     * @param hides up to this rate its buffer hides the loss
     */
    private record Ideal(long limit, long hides) implements SearchRunner {
        @Override
        public TrialResult run(String suite, Subject subject, Load load, int round) {
            return run(suite, subject, load, round, load.rate() <= SENDER_LIMIT ? null : "the sender reached less");
        }

        TrialResult run(String suite, Subject subject, Load load, int round, String voidReason) {
            long sent = Math.round(load.rate() * load.seconds());
            long received = load.rate() <= Math.max(limit, hides)
                    ? sent
                    : Math.round(sent * (double) Math.max(limit, hides) / load.rate());
            return new TrialResult(
                    suite,
                    subject.name(),
                    round,
                    load,
                    sent,
                    received,
                    0,
                    0,
                    sent - received,
                    load.rate(),
                    1000.0,
                    50.0,
                    1L << 20,
                    2L << 20,
                    load.rate() > limit ? 1L << 20 : 0L,
                    0,
                    0,
                    0,
                    null,
                    null,
                    voidReason);
        }
    }

    private String run(SuiteCommand command, TrialRunner runner, String... args)
            throws IOException, InterruptedException {
        var unused = new CommandLine(command).parseArgs(args);
        SuiteRun run = new SuiteRun(
                command.suite(),
                command.isFull() ? "full" : "quick",
                Map.of(),
                runner,
                new RunFolder(directory.resolve("run")),
                command::isWorthRetrying,
                command::report);
        command.measure(run);
        Document document = run.finish();
        RunData data = RunFolder.read(directory.resolve("run"));
        assertThat(Markdown.tables(command.report(data))).isEqualTo(Markdown.tables(document));
        return Markdown.tables(document);
    }

    private List<Double> lossless(TrialRunner runner, String... args) throws IOException, InterruptedException {
        var unused = run(new LosslessCommand(), runner, args);
        return RunFolder.read(directory.resolve("run")).trials().stream()
                .filter(trial -> trial.suite().equals("confirm") && trial.valid() && trial.lossless())
                .map(trial -> (double) trial.load().rate())
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {25_000, 60_000, 249_000, 251_000, 700_000, 1_400_000})
    void findsTheLosslessRateWithin2Percent(long limit) throws IOException, InterruptedException {
        assertThat(lossless(new Ideal(limit, 0), "--full", "--receivers", "bio"))
                .isNotEmpty()
                .allSatisfy(rate -> assertThat(rate).isBetween(limit / 1.021, (double) limit));
    }

    @Test
    void hiddenOverloadIsNotLossless() throws IOException, InterruptedException {
        assertThat(lossless(new Ideal(300_000, 900_000), "--full", "--receivers", "bio"))
                .allSatisfy(rate -> assertThat(rate).isBetween(300_000 / 1.021, 300_000.0));
    }

    @Test
    void reportShowsThatTheSenderLimitedTheRate() throws IOException, InterruptedException {
        String report = run(new LosslessCommand(), new Ideal(9_000_000, 0), "--full", "--receivers", "bio");
        assertThat(report).containsPattern("bio .*M.*3 of 3");
    }

    @Test
    void invalidTryIsNotTheLimitOfTheSenderIfAnotherWasValid() throws IOException, InterruptedException {
        Ideal ideal = new Ideal(700_000, 0);
        Set<String> tried = new HashSet<>();
        SearchRunner firstIsVoid = (suite, subject, load, round) -> {
            boolean isVoid = load.rate() > 700_000 && tried.add(round + " " + load.rate());
            return ideal.run(suite, subject, load, round, isVoid ? "the sender was late" : null);
        };
        assertThat(run(new LosslessCommand(), firstIsVoid, "--full", "--receivers", "bio"))
                .containsPattern("bio .*none");
    }

    @Test
    void senderThatAnOverloadedReceiverSlowsDownIsNotTheLimit() throws IOException, InterruptedException {
        Ideal ideal = new Ideal(700_000, 900_000);
        SearchRunner slowsDown = (suite, subject, load, round) -> {
            return ideal.run(suite, subject, load, round, load.rate() > 700_000 ? "the sender reached less" : null);
        };
        assertThat(run(new LosslessCommand(), slowsDown, "--full", "--rounds", "1", "--receivers", "bio"))
                .containsPattern("bio .*none");
        List<TrialResult> trials = RunFolder.read(directory.resolve("run")).trials();
        assertThat(trials)
                .filteredOn(trial -> trial.suite().equals("confirm") && trial.valid())
                .isNotEmpty()
                .allSatisfy(trial -> assertThat(trial.load().rate()).isBetween(686_000L, 700_000L));
    }

    @Test
    void roundWithAFailureDoesNotResetTheNextRound() throws IOException, InterruptedException {
        Ideal ideal = new Ideal(700_000, 0);
        SearchRunner fails = (suite, subject, load, round) -> {
            return round == 2
                    ? ideal.run(suite, subject, new Load(1, 0, 125, 1, 1, "fixed"), round)
                    : ideal.run(suite, subject, load, round);
        };
        var unused = lossless(fails, "--full", "--receivers", "bio");
        assertThat(RunFolder.read(directory.resolve("run")).trials())
                .filteredOn(trial -> trial.round() == 3)
                .isNotEmpty()
                .allSatisfy(trial -> assertThat(trial.load().rate()).isGreaterThan(600_000));
    }

    @Test
    void receiverTooSlowForTheMinimumRateEndsTheSearch() throws IOException, InterruptedException {
        assertThat(lossless(new Ideal(500, 0), "--receivers", "bio")).isEmpty();
    }

    @Test
    void compareReceiversFindsTheRateWithOnePercentLoss() throws IOException, InterruptedException {
        String report = run(
                new ReceiverComparisonCommand(),
                new Ideal(333_000, 0),
                "--full",
                "--receivers",
                "bio",
                "--rates",
                "6400,500k");
        assertThat(report).contains("100 (100)", "66.60");
        long lost = RunFolder.read(directory.resolve("run")).valid("raise").stream()
                .filter(trial -> trial.loss() >= 0.01)
                .mapToLong(trial -> trial.load().rate())
                .min()
                .orElseThrow();
        assertThat(lost).isBetween(333_000L, 365_000L);
    }

    @Test
    void costIsReportedAtEachRate() throws IOException, InterruptedException {
        String report = run(new CostCommand(), new Ideal(900_000, 0), "--receivers", "bio", "--rounds", "3");
        assertThat(report).contains("ns at 100k", "1,000 (1,000–1,000)");
    }
}
