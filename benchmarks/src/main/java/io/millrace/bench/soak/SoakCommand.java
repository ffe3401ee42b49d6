package io.millrace.bench.soak;

import io.millrace.bench.command.BenchHelpOption;
import io.millrace.bench.command.WholeNumber;
import io.millrace.bench.report.DocumentFiles;
import io.millrace.bench.subject.ChildProcess;
import io.millrace.bench.suite.WorkDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench soak}: does it hold for a long time? */
@Command(
        name = "soak",
        description = {
            "The service under load for a long time: outputs to files, to a server that refuses a ninth of the time and, if"
                    + " asked for, to Kafka; retention; the configuration read again and again.",
            "",
            "In the end the ledger has to close for the receiver and each output, each datagram has to be in the archive,"
                    + " and memory, descriptors and threads must not have grown from the second third to the last."
        },
        footer = {
            "",
            "Examples:",
            "  millrace bench soak",
            "  millrace bench soak --minutes 480 --rate 50k --work /var/tmp",
            "  millrace bench soak --minutes 30 --gso 16 --kafka localhost:9092 --topic soak",
            "",
            "Exit codes: 0 everything held; 1 something did not, and the report says what; 2 bad usage.",
        })
public final class SoakCommand extends BenchHelpOption implements Callable<Integer> {
    private static final double MILLIS_A_MINUTE = 60_000;
    private static final double MILLIS_A_SECOND = 1000;
    private static final int MAX_GSO = 64;
    private static final int MIN_JOURNAL = 64;

    @Option(names = "--minutes", paramLabel = "N", description = "How long (default: ${DEFAULT-VALUE}).")
    private double minutes = 30;

    @Option(
            names = "--rate",
            paramLabel = "N",
            converter = WholeNumber.class,
            description = "Datagrams a second, of 125 bytes (default: 100k).")
    private long rate = 100_000;

    @Option(
            names = "--gso",
            paramLabel = "N",
            description =
                    "The sender hands the kernel GRO batches of N datagrams, which costs it less (default: 1, no GRO batches).")
    private int gso = 1;

    @Option(
            names = "--reload-every",
            paramLabel = "SECONDS",
            description = "How often the configuration is changed and read again (default: ${DEFAULT-VALUE}).")
    private double reloadEvery = 60;

    @Option(
            names = "--refuse-every",
            paramLabel = "SECONDS",
            description =
                    "The server behind an output refuses the last ninth of this time (default: ${DEFAULT-VALUE}).")
    private double refuseEvery = 180;

    @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "A broker; everything goes to it too.")
    private @Nullable String kafka;

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description = "The topic there (default: ${DEFAULT-VALUE}). It gets about 200 bytes a datagram.")
    private String topic = "millrace-soak";

    @Option(
            names = "--journal",
            paramLabel = "MIB",
            description = "How much of the journal is kept, in MiB (default: ${DEFAULT-VALUE}).")
    private int journal = 2048;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Where the service writes: 4 GiB have to be free with the defaults (default: the temporary"
                    + " directory).")
    private @Nullable Path work;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder of report.md, report.html and samples.csv (default: bench-results/soak-TIME).")
    private @Nullable Path out;

    /** Made by picocli. */
    public SoakCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        DocumentFiles folder = new DocumentFiles(out == null ? defaultFolder() : out);
        Path parent = work == null ? Path.of(System.getProperty("java.io.tmpdir")) : Files.createDirectories(work);
        Path directory = Files.createTempDirectory(parent, "millrace-soak");
        ChildProcess.atShutdown(() -> WorkDirectory.delete(directory));
        SoakPlan plan = new SoakPlan(
                directory,
                Duration.ofMillis(Math.round(minutes * MILLIS_A_MINUTE)),
                rate,
                gso,
                Integer.toUnsignedLong(ThreadLocalRandom.current().nextInt()),
                seconds(reloadEvery),
                seconds(refuseEvery),
                kafka,
                topic,
                (long) journal << 20);
        SoakRun run = new SoakRun(plan, folder);
        run.run();
        Verdict verdict = run.verdict();
        folder.write(SoakReport.of(described(), run.samples(), verdict, run.log()));
        verdict.findings()
                .forEach(found -> System.out.println((found.holds() ? "held: " : "DID NOT HOLD: ") + found.text()));
        System.err.println("millrace bench: the report is in " + folder.path().toAbsolutePath());
        return verdict.holds() ? 0 : 1;
    }

    private void check() {
        if (!(minutes > 0) || !(reloadEvery > 0) || !(refuseEvery > 0)) {
            throw new IllegalArgumentException("--minutes, --reload-every and --refuse-every take more than 0");
        }
        if (rate < 1) {
            throw new IllegalArgumentException("--rate takes 1 or more datagrams a second");
        }
        if (gso < 1 || gso > MAX_GSO) {
            throw new IllegalArgumentException("--gso takes 1 to " + MAX_GSO + ", not " + gso);
        }
        if (journal < MIN_JOURNAL) {
            throw new IllegalArgumentException("--journal takes " + MIN_JOURNAL + " MiB or more, not " + journal);
        }
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * MILLIS_A_SECOND));
    }

    private Map<String, String> described() {
        Map<String, String> found = new LinkedHashMap<>();
        found.put("minutes", Double.toString(minutes));
        found.put("datagrams a second, of 125 bytes", String.format(Locale.ROOT, "%,d", rate));
        found.put("datagrams in a GRO batch of the sender", Integer.toString(gso));
        found.put("configuration read again every, s", Double.toString(reloadEvery));
        found.put("server refuses the last ninth of every, s", Double.toString(refuseEvery));
        found.put("Kafka", kafka == null ? "none" : "yes");
        found.put("journal kept, MiB", Integer.toString(journal));
        return found;
    }

    private static Path defaultFolder() {
        String time = LocalDateTime.now(ZoneId.systemDefault())
                .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
        return Path.of("bench-results", "soak-" + time);
    }
}
