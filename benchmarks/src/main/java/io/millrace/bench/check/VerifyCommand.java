package io.millrace.bench.check;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.millrace.bench.command.BenchHelpOption;
import io.millrace.bench.command.WholeNumber;
import io.millrace.journal.read.Journal;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench verify}: is each datagram of a run in the journal, exactly once, and how late was it? */
@Command(
        name = "verify",
        description = {
            "Compare a journal with what a run of 'millrace send' sent, sequence by sequence.",
            "",
            "Latency is from the time a datagram was meant to be sent to the time it was received, in microseconds:"
                    + " what held the sender up counts too. It means something where both read the same clock."
        },
        footer = {
            "",
            "Examples: what was lost is known from the ledger, and nothing else may be missing.",
            "  millrace bench verify --run 1a2b3c4d --sent 1M --lost 0",
            "  millrace bench verify --run 1a2b3c4d --sources 1M --json > verify.json",
            "",
            "Exit codes: 0 as expected; 1 datagrams are missing, too many, or there twice; 2 bad usage.",
        })
public final class VerifyCommand extends BenchHelpOption implements Callable<Integer> {
    /** With more sources, only those that something is wrong with have a line. */
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
            converter = WholeNumber.class,
            description = "How many datagrams the sender sent, such as 5000, 20k or 1M.")
    private @Nullable Long sent;

    @Option(
            names = "--lost",
            paramLabel = "N",
            converter = WholeNumber.class,
            description = "How many of them the ledger names as lost (default: ${DEFAULT-VALUE}).")
    private long lost;

    @Option(
            names = "--sources",
            paramLabel = "N",
            converter = WholeNumber.class,
            description = "How many sources sent; each must have come from an address and port of its own.")
    private @Nullable Long sources;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    /** Made by picocli. */
    public VerifyCommand() {}

    @Override
    public Integer call() throws IOException {
        if (!run.matches("[0-9a-fA-F]{1,8}")) {
            throw new IllegalArgumentException(
                    "--run takes the run id the sender printed, 1 to 8 hexadecimal digits, not '" + run + "'");
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

    /** What is wrong, in words; empty if nothing is. */
    private String verdict(RunCheck check, @Nullable Long missing) {
        if (check.distinct() == 0) {
            return "there is no datagram of run " + runId()
                    + " in the journal (what --file, --pcap and --pattern fixed send carries no run id)";
        }
        if (check.duplicated() > 0) {
            return check.duplicated() + " datagrams are there more than once";
        }
        if (missing != null && missing != lost) {
            return String.format(
                    Locale.ROOT,
                    "of %,d sent, %,d are there and %,d are named as lost: %,d %s",
                    sent,
                    check.distinct(),
                    lost,
                    Math.abs(missing - lost),
                    missing > lost ? "are unaccounted for" : "too many");
        }
        if (sources != null && (check.sourceCount() != sources || check.endpoints() != sources || check.moved() > 0)) {
            return String.format(
                    Locale.ROOT,
                    "of %,d sources, %,d are there, from %,d different addresses and ports; %,d from several",
                    sources,
                    check.sourceCount(),
                    check.endpoints(),
                    check.moved());
        }
        return "";
    }

    /** As the sender prints it. */
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
                    shown.isEmpty() ? "nothing is wrong with any of them" : "above are some with something wrong");
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
                    "%,d came more than 100 us before they were meant to be sent: the clocks may differ%n",
                    check.early());
        }
        if (check.moved() > 0) {
            out.printf(Locale.ROOT, "%,d sources have datagrams from several addresses or ports%n", check.moved());
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
        JsonFactory factory = JsonFactory.builder()
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .build();
        PrintWriter text = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        try (JsonGenerator out = factory.createGenerator(text)) {
            out.writeStartObject();
            out.writeStringField("run", runId());
            out.writeNumberField("distinct", check.distinct());
            if (missing == null) {
                out.writeNullField("missing");
            } else {
                out.writeNumberField("missing", missing);
            }
            out.writeNumberField("duplicated", check.duplicated());
            out.writeNumberField("reordered", check.reordered());
            out.writeNumberField("others", check.others());
            out.writeNumberField("early", check.early());
            out.writeNumberField("endpoints", check.endpoints());
            out.writeNumberField("moved", check.moved());
            writeLatency(out, check.latency());
            out.writeArrayFieldStart("sources");
            for (SourceCheck source : check.sources()) {
                writeSource(out, source);
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        text.println();
        text.flush();
    }

    private static void writeSource(JsonGenerator out, SourceCheck source) throws IOException {
        out.writeStartObject();
        out.writeNumberField("source", source.number());
        out.writeNumberField("received", source.received());
        out.writeNumberField("highest", source.highest());
        out.writeNumberField("holes", source.holes());
        out.writeNumberField("duplicated", source.duplicated());
        out.writeNumberField("reordered", source.reordered());
        if (source.latency().isPresent()) {
            writeLatency(out, source.latency().get());
        }
        out.writeEndObject();
    }

    private static void writeLatency(JsonGenerator out, Histogram latency) throws IOException {
        out.writeObjectFieldStart("latencyMicros");
        for (double percentile : PERCENTILES) {
            out.writeNumberField("p" + name(percentile), latency.getValueAtPercentile(percentile));
        }
        out.writeNumberField("max", latency.getMaxValue());
        out.writeEndObject();
    }
}
