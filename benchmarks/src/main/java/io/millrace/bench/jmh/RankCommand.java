package io.millrace.bench.jmh;

import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.ReportCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;

/** {@code millrace bench rank}: the receivers and the ways to append, each by rank. */
@Command(
        name = "rank",
        description = {
            "Rank the receivers by the datagrams they receive per second, and the ways to append to a file by the time for a record,"
                    + " with JMH.",
            "",
            "A quick run takes about a minute, --full about ten."
        },
        footer = {"", "Examples:", "  millrace bench rank", "  millrace bench rank --full"})
public final class RankCommand extends ReportCommand {
    private static final int FULL_ITERATIONS = 5;
    private static final TimeValue QUICK_TIME = TimeValue.milliseconds(500);

    @Override
    protected Document measure(Path scratch) throws IOException {
        Document document = new Document("Receivers and ways to append, by rank");
        List<RunResult> receivers = run(ReceiveBenchmark.class);
        receivers.sort(Comparator.comparingDouble(RankCommand::score).reversed());
        List<List<String>> rows = new ArrayList<>();
        for (RunResult each : receivers) {
            rows.add(List.of(
                    name(each, "receiver"),
                    number(each.getPrimaryResult(), "%,.0f"),
                    number(each.getSecondaryResults().get("cpuNsPerDatagram"), "%,.0f"),
                    number(each.getSecondaryResults().get("lostPercent"), "%.1f")));
        }
        document.heading("Receivers")
                .text(
                        "Datagrams of 125 bytes over loopback from a sender that is faster than any receiver. The receiver and the"
                                + " benchmark share a JVM; what is received is written to memory.")
                .table(List.of("receiver", "received per second", "CPU, ns per datagram", "lost, %"), rows)
                .add(bars("Datagrams received per second", receivers, "receiver"));
        List<RunResult> ways = run(AppendBenchmark.class);
        ways.sort(Comparator.comparingDouble(RankCommand::score));
        List<List<String>> wayRows = new ArrayList<>();
        for (RunResult each : ways) {
            wayRows.add(List.of(name(each, "way"), number(each.getPrimaryResult(), "%,.0f")));
        }
        document.heading("Ways to append")
                .text("A record of 149 bytes to new files in memory.")
                .table(List.of("way", "ns per record"), wayRows)
                .add(bars("ns per record", ways, "way"));
        return document;
    }

    private List<RunResult> run(Class<?> benchmark) throws IOException {
        OptionsBuilder options = new OptionsBuilder();
        options.include(benchmark.getName()).verbosity(VerboseMode.SILENT).shouldFailOnError(true);
        if (isFull()) {
            options.measurementIterations(FULL_ITERATIONS);
        } else {
            options.forks(1).warmupIterations(1).measurementIterations(1);
            options.warmupTime(QUICK_TIME).measurementTime(QUICK_TIME);
        }
        return run(options.build());
    }

    private static List<RunResult> run(Options options) throws IOException {
        try {
            Collection<RunResult> results = new Runner(options).run();
            return new ArrayList<>(results);
        } catch (RunnerException e) {
            throw new IOException("JMH failed: " + e.getMessage(), e);
        }
    }

    private static double score(RunResult result) {
        return result.getPrimaryResult().getScore();
    }

    private static String name(RunResult result, String parameter) {
        return result.getParams().getParam(parameter);
    }

    /** The score, and the half width of its confidence interval of 99.9 % if there is one. */
    private static String number(@Nullable Result<?> result, String format) {
        if (result == null) {
            return "–";
        }
        String score = String.format(Locale.ROOT, format, result.getScore());
        double error = result.getScoreError();
        return Double.isNaN(error) ? score : score + " ± " + String.format(Locale.ROOT, format, error);
    }

    private static Chart bars(String label, List<RunResult> results, String parameter) {
        return Chart.bars(
                label,
                label,
                results.stream()
                        .map(each -> Chart.Series.medianAndRange(name(each, parameter), List.of(score(each))))
                        .toList());
    }
}
