package io.millrace.bench.check;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.bench.option.CountConverter;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench verify}: checks that the journal has each datagram of a run exactly once. */
@Command(
        name = "verify",
        description = {
            "Compare a journal with a run of 'millrace send' by sequence numbers.",
            "",
            "Latency is measured in microseconds from the intended send time to the receive time, so delays of the"
                    + " sender count too. It is meaningful if both hosts have the same clock."
        },
        footer = {
            "",
            "Examples, with the losses from the ledger:",
            "  millrace bench verify --run 1a2b3c4d --sent 1M --lost 0",
            "  millrace bench verify --run 1a2b3c4d --sources 1M --json > verify.json",
            "",
            "Exit codes: 0 as expected; 1 missing, additional or duplicate datagrams; 2 bad usage.",
        })
public final class VerifyCommand implements Callable<Integer> {
    /** With more sources, only those with errors have a line. */
    private static final int MAX_LINES = 20;

    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    @Option(names = "--data", paramLabel = "DIR", description = "The data directory (default: ${DEFAULT-VALUE}).")
    private Path data = Path.of("data");

    @Option(names = "--run", paramLabel = "ID", required = true, description = "The run id the sender printed.")
    @SuppressWarnings("NullAway.Init") // Required.
    private String run;

    @Option(
            names = "--sent",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "The number of sent datagrams, such as 5000, 20k or 1M.")
    private @Nullable Long sent;

    @Option(
            names = "--lost",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "The number of losses in the ledger (default: ${DEFAULT-VALUE}).")
    private long lost;

    @Option(
            names = "--sources",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "The number of sources; each must have its own address and port.")
    private @Nullable Long sources;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if (!run.matches("[0-9a-fA-F]{1,8}")) {
            throw new IllegalArgumentException(
                    "--run accepts the run id the sender printed, 1 to 8 hexadecimal digits, not '" + run + "'");
        }
        RunCheck check = RunCheck.of(Journal.open(data), Long.parseLong(run, 16));
        Long missing = sent == null ? null : sent - check.distinct();
        if (json) {
            printJson(check, missing);
        } else {
            print(check, missing);
        }
        String wrong = verdict(check, missing);
        System.err.println(
                wrong.isEmpty() ? "millrace bench: as expected" : "millrace bench: not as expected: " + wrong);
        return wrong.isEmpty() ? 0 : 1;
    }

    /** The first deviation; empty if there is none. */
    private String verdict(RunCheck check, @Nullable Long missing) {
        if (check.distinct() == 0) {
            return "the journal has no datagram of run " + runId()
                    + " (datagrams of --file, --pcap and --pattern fixed have no run id)";
        }
        if (check.duplicated() > 0) {
            return check.duplicated() + " duplicates";
        }
        if (missing != null && missing != lost) {
            return String.format(
                    Locale.ROOT,
                    "of %,d sent, %,d were found and %,d are counted as lost: %,d %s",
                    sent,
                    check.distinct(),
                    lost,
                    Math.abs(missing - lost),
                    missing > lost ? "are unaccounted for" : "too many");
        }
        if (sources != null && (check.sourceCount() != sources || check.endpoints() != sources || check.moved() > 0)) {
            return String.format(
                    Locale.ROOT,
                    "of %,d sources, %,d were found, with %,d different addresses and ports; %,d have several",
                    sources,
                    check.sourceCount(),
                    check.endpoints(),
                    check.moved());
        }
        return "";
    }

    /** The run id as the sender prints it. */
    private String runId() {
        return String.format(Locale.ROOT, "%08x", Long.parseLong(run, 16));
    }

    private void print(RunCheck check, @Nullable Long missing) {
        List<SourceCheck> all = check.sources();
        List<SourceCheck> shown = all.size() <= MAX_LINES
                ? all
                : all.stream()
                        .filter(source -> source.holes() + source.duplicated() + source.reordered() > 0)
                        .limit(MAX_LINES)
                        .toList();
        PrintStream out = System.out;
        for (SourceCheck source : shown) {
            out.printf(
                    Locale.ROOT,
                    "source %d: %,d received, highest sequence %,d, %,d missing below it, %,d duplicated, %,d reordered%s%n",
                    source.number(),
                    source.received(),
                    source.highest(),
                    source.holes(),
                    source.duplicated(),
                    source.reordered(),
                    source.latency().map(latency -> "; " + text(latency)).orElse(""));
        }
        if (shown.size() < all.size()) {
            out.printf(
                    Locale.ROOT,
                    "%,d sources; %s%n",
                    all.size(),
                    shown.isEmpty() ? "none has errors" : "above are the first ones with errors");
        }
        out.printf(
                Locale.ROOT,
                "run %s: %,d distinct datagrams; sources: %,d, their addresses and ports: %,d; %s missing, %,d"
                        + " duplicated, %,d reordered; %,d others%n",
                runId(),
                check.distinct(),
                check.sourceCount(),
                check.endpoints(),
                missing == null ? "unknown" : String.format(Locale.ROOT, "%,d", missing),
                check.duplicated(),
                check.reordered(),
                check.others());
        if (check.latency().getTotalCount() > 0) {
            out.println(text(check.latency()));
        }
        if (check.early() > 0) {
            out.printf(
                    Locale.ROOT,
                    "%,d arrived more than 100 us before their intended send time: the clocks may differ%n",
                    check.early());
        }
        if (check.moved() > 0) {
            out.printf(Locale.ROOT, "%,d sources have several addresses or ports%n", check.moved());
        }
    }

    private static String text(Histogram latency) {
        StringBuilder text = new StringBuilder("latency, us:");
        for (double percentile : PERCENTILES) {
            text.append(String.format(
                    Locale.ROOT, " p%s %,d,", name(percentile), latency.getValueAtPercentile(percentile)));
        }
        return text.append(String.format(Locale.ROOT, " max %,d", latency.getMaxValue()))
                .toString();
    }

    private static String name(double percentile) {
        return percentile == Math.rint(percentile) ? Long.toString((long) percentile) : Double.toString(percentile);
    }

    private void printJson(RunCheck check, @Nullable Long missing) throws IOException {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("run", runId());
        json.put("distinct", check.distinct());
        json.put("missing", missing);
        json.put("duplicated", check.duplicated());
        json.put("reordered", check.reordered());
        json.put("others", check.others());
        json.put("early", check.early());
        json.put("endpoints", check.endpoints());
        json.put("moved", check.moved());
        json.put("latencyMicros", json(check.latency()));
        json.put("sources", check.sources().stream().map(VerifyCommand::json).toList());
        System.out.println(new ObjectMapper().writeValueAsString(json));
    }

    private static Map<String, Object> json(SourceCheck source) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("source", source.number());
        json.put("received", source.received());
        json.put("highest", source.highest());
        json.put("holes", source.holes());
        json.put("duplicated", source.duplicated());
        json.put("reordered", source.reordered());
        source.latency().ifPresent(latency -> json.put("latencyMicros", json(latency)));
        return json;
    }

    private static Map<String, Object> json(Histogram latency) {
        Map<String, Object> json = new LinkedHashMap<>();
        for (double percentile : PERCENTILES) {
            json.put("p" + name(percentile), latency.getValueAtPercentile(percentile));
        }
        json.put("max", latency.getMaxValue());
        return json;
    }
}
