package io.millrace.bench.deliver;

import io.millrace.bench.host.CpuTime;
import io.millrace.bench.option.CountConverter;
import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.ReportCommand;
import io.millrace.bench.report.Statistics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench drain}: how fast outputs deliver a full journal. */
@Command(
        name = "drain",
        description = {
            "How fast an output delivers a full journal, and the CPU time of the service per message: formats, filters and edits to a"
                    + " file, and with --kafka to Kafka. Each file is checked.",
            "",
            "With --full it needs 4 GiB in the directory of --work."
        },
        footer = {
            "",
            "Examples:",
            "  millrace bench drain",
            "  millrace bench drain --full",
            "  millrace bench drain --full --cases raw,json,kafka-raw,kafka-json --kafka localhost:9092"
        })
public final class DrainCommand extends ReportCommand {
    private static final long QUICK_MESSAGES = 200_000;
    private static final long FULL_MESSAGES = 3_000_000;
    private static final int FULL_ROUNDS = 3;
    private static final int EXAMPLES = 3;
    private static final long MAX_MESSAGES = 1_000_000_000;

    /** Two journals and the longest output. */
    private static final long FULL_WARM_BYTES = 4L << 30;

    private static final long QUICK_WARM_BYTES = 1L << 30;

    @Option(
            names = "--cases",
            paramLabel = "NAME",
            split = ",",
            description = "Cases: ${COMPLETION-CANDIDATES} (default: all; kafka-… only with --kafka).")
    private @Nullable List<DrainCase> cases;

    @Option(
            names = "--messages",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Messages in a journal (default: 200k; with --full 3M).")
    private @Nullable Long messages;

    @Option(names = "--rounds", paramLabel = "N", description = "Interleaved rounds (default: 1; with --full 3).")
    private @Nullable Integer rounds;

    @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "A broker, for the cases kafka-….")
    private @Nullable String kafka;

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description =
                    "The topic (default: ${DEFAULT-VALUE}). The broker has it already, or creates it when it is used.")
    private String topic = "millrace-drain";

    private record Result(List<Double> millions, List<Double> nanos) {
        Result() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    @Override
    protected long warmMemoryBytes() {
        return isFull() ? FULL_WARM_BYTES : QUICK_WARM_BYTES;
    }

    private long messages() {
        return messages != null ? messages : isFull() ? FULL_MESSAGES : QUICK_MESSAGES;
    }

    private Set<DrainCase> cases() {
        Set<DrainCase> chosen = EnumSet.allOf(DrainCase.class);
        if (cases != null) {
            chosen.retainAll(cases);
        } else if (kafka == null) {
            chosen.removeIf(DrainCase::isKafka);
        }
        return chosen;
    }

    @Override
    protected Document measure(Path scratch) throws IOException, InterruptedException {
        int count = rounds != null ? rounds : isFull() ? FULL_ROUNDS : 1;
        if (count < 1 || messages() < 1 || messages() > MAX_MESSAGES) {
            throw new IllegalArgumentException("--rounds accepts 1 or more, --messages 1 to 1000M");
        }
        if (kafka == null && cases().stream().anyMatch(DrainCase::isKafka)) {
            throw new IllegalArgumentException("the cases kafka-raw and kafka-json need --kafka HOST:PORT");
        }
        Map<Messages, FullJournal> journals = new EnumMap<>(Messages.class);
        Map<DrainCase, Result> results = new EnumMap<>(DrainCase.class);
        for (DrainCase each : cases()) {
            Messages kind = each.messages();
            results.put(each, new Result());
            if (!journals.containsKey(kind)) {
                journals.put(kind, FullJournal.fill(scratch.resolve(kind.name()), kind, messages()));
            }
        }
        for (int round = 1; round <= count; round++) {
            for (DrainCase each : cases()) {
                FullJournal journal = Objects.requireNonNull(journals.get(each.messages()));
                measure(each, round, journal, Objects.requireNonNull(results.get(each)));
            }
        }
        return document(journals, results);
    }

    private void measure(DrainCase of, int round, FullJournal journal, Result result)
            throws IOException, InterruptedException {
        FullJournal.Drained drained =
                journal.drain(of, of + "-" + round, "brokers: [\"" + kafka + "\"], topic: " + topic);
        result.millions.add(messages() / drained.seconds() / 1e6);
        if (drained.cpuNanos() >= CpuTime.MIN_NANOS) {
            result.nanos.add((double) drained.cpuNanos() / messages());
        }
        System.err.printf(
                Locale.ROOT,
                "millrace bench: round %d, %s: %.2f million msg/s, %,d ns/msg%n",
                round,
                of,
                messages() / drained.seconds() / 1e6,
                drained.cpuNanos() / messages());
    }

    private Document document(Map<Messages, FullJournal> journals, Map<DrainCase, Result> results) {
        Document document = new Document("Delivering a full journal");
        document.text(String.format(
                Locale.ROOT,
                "A journal of %,d messages for each kind of message, filled over TCP. Each case starts the service with this"
                        + " journal and default settings, and reloads it once without a change. When it uses no CPU, a second reload"
                        + " adds the output. The time runs from this reload to the last write of the file, or for Kafka to the last"
                        + " acknowledgement, which is looked for every 50 ms. CPU time is that of the whole process during this time:"
                        + " it includes the reload, just-in-time compilation and the answers to the benchmark, but not the start."
                        + " Both are divided by all messages of the journal, also by those that a filter leaves out. Median of the"
                        + " rounds and range.",
                messages()));
        List<List<String>> rows = new ArrayList<>();
        List<Chart.Series> rates = new ArrayList<>();
        List<Chart.Series> costs = new ArrayList<>();
        results.forEach((of, result) -> {
            rows.add(List.of(
                    of.toString(),
                    of.messages().text(),
                    String.format(
                            Locale.ROOT,
                            "%,d",
                            Objects.requireNonNull(journals.get(of.messages())).expected(of)),
                    Statistics.medianAndRange(result.millions, "%.2f"),
                    Statistics.medianAndRange(result.nanos, "%,.0f")));
            rates.add(Chart.Series.medianAndRange(of.toString(), result.millions));
            costs.add(Chart.Series.medianAndRange(of.toString(), result.nanos));
        });
        document.heading("Results")
                .table(List.of("case", "messages", "delivered", "million msg/s", "CPU, ns/msg"), rows)
                .text(
                        "Each file had exactly the number of lines under \"delivered\". With a filter each line was one that it accepts;"
                                + " with a redaction no line had the password."
                                + (kafka == null
                                        ? " Kafka was not measured: no broker was given (--kafka)."
                                        : " For Kafka, \"delivered\" is what its brokers have acknowledged."))
                .add(Chart.bars("Delivered from a full journal", "million msg/s, median and range", rates))
                .add(Chart.bars("CPU time per message", "ns, median and range", costs));
        document.heading("Outputs")
                .code(results.keySet().stream()
                        .map(of -> of + ": {" + of.settings() + "}")
                        .collect(Collectors.joining("\n")))
                .heading("Messages")
                .code(journals.keySet().stream()
                        .flatMap(kind -> kind.list().stream().limit(EXAMPLES))
                        .collect(Collectors.joining("\n")));
        return document;
    }
}
