package io.millrace.bench.soak;

import io.millrace.bench.host.ScratchDirectory;
import io.millrace.bench.option.CountConverter;
import io.millrace.bench.report.DocumentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench soak}: a long test of the service. */
@Command(
        name = "soak",
        description = {
            "A long test of the service under load: with outputs to files, to a server that returns 503 for a ninth of the"
                    + " time and optionally to Kafka, with retention, and with regular reloads of the configuration.",
            "",
            "At the end the ledger must close for the receiver and each output, and the archive must have each datagram."
                    + " Memory, descriptors and threads must not grow from the second third to the last."
        },
        footer = {
            "",
            "Examples:",
            "  millrace bench soak",
            "  millrace bench soak --minutes 480 --rate 50k --work /var/tmp",
            "  millrace bench soak --minutes 30 --gso 16 --kafka localhost:9092 --topic soak",
            "",
            "Exit codes: 0 passed; 1 failed, see the report; 2 bad usage.",
        })
public final class SoakCommand implements Callable<Integer> {
    private static final double MILLIS_PER_MINUTE = 60_000;
    private static final double MILLIS_PER_SECOND = 1000;
    private static final int MAX_GSO = 64;
    private static final int MIN_JOURNAL = 64;

    @Option(names = "--minutes", paramLabel = "N", description = "The length of the test (default: ${DEFAULT-VALUE}).")
    private double minutes = 30;

    @Option(
            names = "--rate",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Datagrams per second, of 125 bytes (default: 100k).")
    private long rate = 100_000;

    @Option(
            names = "--gso",
            paramLabel = "N",
            description =
                    "The sender gives the kernel GSO batches of N datagrams, which costs less CPU time (default: 1, off).")
    private int gso = 1;

    @Option(
            names = "--reload-every",
            paramLabel = "SECONDS",
            description = "How often the configuration is changed and reloaded (default: ${DEFAULT-VALUE}).")
    private double reloadEvery = 60;

    @Option(
            names = "--refuse-every",
            paramLabel = "SECONDS",
            description =
                    "The server of an output returns 503 in the last ninth of this time (default: ${DEFAULT-VALUE}).")
    private double refuseEvery = 180;

    @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "A broker for one more output.")
    private @Nullable String kafka;

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description = "The topic (default: ${DEFAULT-VALUE}). It needs about 200 bytes per datagram.")
    private String topic = "millrace-soak";

    @Option(
            names = "--journal",
            paramLabel = "MIB",
            description = "The retention of the journal, in MiB (default: ${DEFAULT-VALUE}).")
    private int journal = 2048;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description =
                    "The directory of the service, with 4 GiB free for the defaults (default: the temporary directory).")
    private @Nullable Path work;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder of report.md, report.html and samples.csv (default: bench-results/soak-TIME).")
    private @Nullable Path out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        DocumentFiles folder = new DocumentFiles(out == null ? DocumentFiles.defaultFolder("soak") : out);
        Path parent = work == null ? Path.of(System.getProperty("java.io.tmpdir")) : Files.createDirectories(work);
        Path directory = Files.createTempDirectory(parent, "millrace-soak");
        ScratchDirectory.deleteAtShutdown(directory);
        SoakPlan plan = new SoakPlan(
                directory,
                Duration.ofMillis(Math.round(minutes * MILLIS_PER_MINUTE)),
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
        SoakVerdict verdict = run.verdict();
        folder.write(SoakReport.of(described(), run.samples(), verdict, run.log()));
        verdict.findings()
                .forEach(found -> System.out.println((found.passed() ? "passed: " : "FAILED: ") + found.text()));
        System.err.println("millrace bench: the report is in " + folder.path().toAbsolutePath());
        return verdict.passed() ? 0 : 1;
    }

    private void check() {
        if (!(minutes > 0) || !(reloadEvery > 0) || !(refuseEvery > 0)) {
            throw new IllegalArgumentException("--minutes, --reload-every and --refuse-every accept a number above 0");
        }
        if (rate < 1) {
            throw new IllegalArgumentException("--rate accepts 1 or more datagrams per second");
        }
        if (gso < 1 || gso > MAX_GSO) {
            throw new IllegalArgumentException("--gso accepts 1 to " + MAX_GSO + ", not " + gso);
        }
        if (journal < MIN_JOURNAL) {
            throw new IllegalArgumentException("--journal accepts " + MIN_JOURNAL + " MiB or more, not " + journal);
        }
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * MILLIS_PER_SECOND));
    }

    private Map<String, String> described() {
        Map<String, String> found = new LinkedHashMap<>();
        found.put("minutes", Double.toString(minutes));
        found.put("datagrams of 125 bytes per second", String.format(Locale.ROOT, "%,d", rate));
        found.put("datagrams per GSO batch of the sender", Integer.toString(gso));
        found.put("configuration reloaded every, s", Double.toString(reloadEvery));
        found.put("server returns 503 in the last ninth of every, s", Double.toString(refuseEvery));
        found.put("Kafka", kafka == null ? "none" : "yes");
        found.put("retention of the journal, MiB", Integer.toString(journal));
        return found;
    }
}
