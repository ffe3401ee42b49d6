package io.millrace.bench.socket;

import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.ReportCommand;
import io.millrace.bench.report.Statistics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench accept}: one listening socket for all threads, or one for each. */
@Command(
        name = "accept",
        description =
                "How many connections per second several threads accept, and how evenly: on one listening socket that they"
                        + " share, and on one each (SO_REUSEPORT), as Millrace does. And what becomes of connections that wait when one"
                        + " of these sockets is closed.",
        footer = {"", "Examples:", "  millrace bench accept", "  millrace bench accept --threads 4 --full"})
public final class AcceptCommand extends ReportCommand {
    private static final int MAX_THREADS = 64;
    private static final int WAITING = 400;

    @Option(names = "--threads", paramLabel = "N", description = "Threads that accept (default: ${DEFAULT-VALUE}).")
    private int threads = 4;

    /** The results of one way to listen. */
    private static final class Result {
        final List<Double> perSecond = new ArrayList<>();
        final List<Double> spread = new ArrayList<>();
        final List<Double> reset = new ArrayList<>();
    }

    @Override
    protected Document measure(Path scratch) throws IOException, InterruptedException {
        if (threads < 2 || threads > MAX_THREADS) {
            throw new IllegalArgumentException("--threads accepts 2 to " + MAX_THREADS + ", not " + threads);
        }
        double seconds = isFull() ? 5 : 0.5;
        Result shared = new Result();
        Result own = new Result();
        for (int round = 0; round < (isFull() ? 5 : 1); round++) {
            measure(shared, true, seconds);
            measure(own, false, seconds);
        }
        Document document = new Document("Accepting connections");
        document.text(String.format(
                Locale.ROOT,
                "%d threads accept connections on loopback, and close them at once; two threads connect as fast as they can."
                        + " Median of the rounds and range. Spread is the busiest thread's number of connections by that of the"
                        + " least busy. Then nobody accepts, %d connections wait, and one of the listening sockets is closed, as"
                        + " when one of several processes ends; a socket that is shared stays open.",
                threads,
                WAITING));
        document.heading("Results")
                .table(
                        List.of("listening sockets", "accepts/s", "spread", "reset by the close, %"),
                        List.of(row("one, shared", shared), row("one for each thread (SO_REUSEPORT)", own)));
        document.add(Chart.bars(
                "Accepted connections per second",
                "connections per second, median and range",
                List.of(
                        Chart.Series.medianAndRange("shared", shared.perSecond),
                        Chart.Series.medianAndRange("SO_REUSEPORT", own.perSecond))));
        return document.text(
                "Millrace has a listening socket for each receiver, and passes them on at a hot restart, so that no"
                        + " connection that waits in them is reset.");
    }

    private void measure(Result result, boolean shared, double seconds) throws IOException, InterruptedException {
        try (Acceptors acceptors = Acceptors.start(threads, shared)) {
            long[] counts = acceptors.load(seconds);
            long sum = 0;
            long most = 0;
            long least = Long.MAX_VALUE;
            for (long count : counts) {
                sum += count;
                most = Math.max(most, count);
                least = Math.min(least, count);
            }
            result.perSecond.add(sum / seconds);
            result.spread.add((double) most / Math.max(1, least));
            result.reset.add(100.0 * acceptors.resetByClose(WAITING) / WAITING);
        }
    }

    private static List<String> row(String name, Result result) {
        return List.of(
                name,
                Statistics.medianAndRange(result.perSecond, "%,.0f"),
                Statistics.medianAndRange(result.spread, "%.2f"),
                Statistics.medianAndRange(result.reset, "%.0f"));
    }
}
