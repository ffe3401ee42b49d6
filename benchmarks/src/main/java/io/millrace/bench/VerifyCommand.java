package io.millrace.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.read.Journal;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench verify}: is each datagram of a run in the journal, exactly once? */
@Command(
        name = "verify",
        description = "Compare a journal with what a run of 'millrace send' sent, sequence by sequence.",
        footer = {
            "",
            "Example: what was lost is known from the ledger, and nothing else may be missing.",
            "  millrace bench verify --run 1a2b3c4d --sent 1000000 --lost 0",
            "",
            "Exit codes: 0 as expected; 1 datagrams are missing, too many, or there twice; 2 bad usage.",
        })
final class VerifyCommand extends HelpOption implements Callable<Integer> {
    @Option(names = "--data", paramLabel = "DIR", description = "The data directory (default: ${DEFAULT-VALUE}).")
    private Path data = Path.of("data");

    @Option(names = "--run", paramLabel = "ID", required = true, description = "The run id the sender printed.")
    @SuppressWarnings("NullAway.Init") // Required.
    private String run;

    @Option(names = "--sent", paramLabel = "N", description = "How many datagrams the sender sent.")
    private @Nullable Long sent;

    @Option(
            names = "--lost",
            paramLabel = "N",
            description = "How many of them the ledger names as lost (default: ${DEFAULT-VALUE}).")
    private long lost;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if (!run.matches("[0-9a-fA-F]{1,8}")) {
            throw new IllegalArgumentException(
                    "--run takes the run id the sender printed, 1 to 8 hexadecimal digits, not '" + run + "'");
        }
        RunCheck check = RunCheck.of(Journal.open(data), Long.parseLong(run, 16));
        Long missing = sent == null ? null : sent - check.distinct();
        if (json) {
            System.out.println(json(check, missing));
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
            return "there is no datagram of run " + run + " in the journal";
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
        return "";
    }

    private void print(RunCheck check, @Nullable Long missing) {
        for (Map.Entry<Integer, RunCheck.Source> entry : check.sources().entrySet()) {
            RunCheck.Source source = entry.getValue();
            System.out.printf(
                    Locale.ROOT,
                    "source %d: %,d received, highest sequence %,d, %,d holes, %,d duplicated, %,d reordered%n",
                    entry.getKey(),
                    source.received(),
                    source.highest(),
                    source.holes(),
                    source.duplicated(),
                    source.reordered());
        }
        System.out.printf(
                Locale.ROOT,
                "run %s: %,d distinct datagrams from %d sources, %s missing, %,d duplicated, %,d reordered; %,d others%n",
                run,
                check.distinct(),
                check.sources().size(),
                missing == null ? "unknown" : String.format(Locale.ROOT, "%,d", missing),
                check.duplicated(),
                check.reordered(),
                check.others());
    }

    private String json(RunCheck check, @Nullable Long missing) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
            out.writeStartObject();
            out.writeStringField("run", run);
            out.writeNumberField("distinct", check.distinct());
            if (missing == null) {
                out.writeNullField("missing");
            } else {
                out.writeNumberField("missing", missing);
            }
            out.writeNumberField("duplicated", check.duplicated());
            out.writeNumberField("reordered", check.reordered());
            out.writeNumberField("others", check.others());
            out.writeArrayFieldStart("sources");
            for (Map.Entry<Integer, RunCheck.Source> entry : check.sources().entrySet()) {
                out.writeStartObject();
                out.writeNumberField("source", entry.getKey());
                out.writeNumberField("received", entry.getValue().received());
                out.writeNumberField("highest", entry.getValue().highest());
                out.writeNumberField("holes", entry.getValue().holes());
                out.writeNumberField("duplicated", entry.getValue().duplicated());
                out.writeNumberField("reordered", entry.getValue().reordered());
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        return text.toString();
    }
}
