package io.millrace.bench.powercut;

import io.millrace.bench.option.CountConverter;
import io.millrace.bench.report.DocumentFiles;
import io.millrace.sender.value.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** {@code millrace bench powercut}: power cuts under load. */
@Command(
        name = "powercut",
        description = {
            "Power cuts under load: copies the disk of the service at random moments, starts the service on each copy, and checks"
                    + " what it recovered. A copy has what was on the disk, and not what only the page cache had. Needs root, Linux with"
                    + " loop devices, and mkfs.xfs (or mkfs.btrfs and mkfs.ext4).",
            "",
            "After each cut the service must be ready by itself; journal verify must find nothing; each answered RELP message"
                    + " must be in the journal; of TCP and UDP only the last second (and a sync) may be missing; the gap in the ledger"
                    + " must be what is missing; no message may be there twice or out of order; the output must deliver everything at"
                    + " least once; no sequence number may be used twice."
        },
        footer = {
            "",
            "Examples:",
            "  millrace bench powercut",
            "  millrace bench powercut --cuts 100 --sync batch --file-system xfs",
            "  millrace bench powercut --cuts 3 --sync page-cache     # fails: this level loses what was not written",
            "",
            "Exit codes: 0 passed; 1 failed, see the report; 2 bad usage, or this host cannot run it.",
        })
public final class PowerCutCommand implements Callable<Integer> {
    private static final int UNAVAILABLE = 2;
    private static final int MAX_CUTS_PER_RUN = 100;
    private static final int MAX_RECEIVERS = 16;

    /** A disk has 2 GiB. */
    private static final long MAX_RATE = 1_000_000;

    @Option(names = "--cuts", paramLabel = "N", description = "How many power cuts (default: ${DEFAULT-VALUE}).")
    private int cuts = 10;

    @Option(
            names = "--cuts-per-run",
            paramLabel = "N",
            description =
                    "How many of them before the service starts again on an empty disk (default: ${DEFAULT-VALUE}).")
    private int cutsPerRun = 10;

    @Option(
            names = "--between",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "The mean time between two cuts, such as 500ms (default: 2s).")
    private Duration between = Duration.ofSeconds(2);

    @Option(
            names = "--sync",
            paramLabel = "LEVEL",
            description = "journal.sync of the service (default: that of the service).")
    private @Nullable String sync;

    @Option(
            names = "--file-system",
            paramLabel = "NAME",
            description = "The file system of the service: ext4 or xfs (default: ext4).")
    private CutPlan.FileSystem fileSystem = CutPlan.FileSystem.EXT4;

    @Option(
            names = "--receivers",
            paramLabel = "N",
            description = "Receivers, each with its shard (default: ${DEFAULT-VALUE}).")
    private int receivers = 1;

    @Option(
            names = "--relp-rate",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Messages of 125 bytes per second over RELP, with a window of 128; 0 for none (default: 5k).")
    private long relpRate = 5000;

    @Option(
            names = "--tcp-rate",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "The same over TCP (default: 5k).")
    private long tcpRate = 5000;

    @Option(
            names = "--udp-rate",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "The same over UDP (default: 5k).")
    private long udpRate = 5000;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "The seed of the moments, as an earlier run printed it (default: random).")
    private @Nullable Long seed;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "The directory of the disk's file, with 4 GiB free (default: the temporary directory).")
    private @Nullable Path work;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "The folder of report.md, report.html, and the disks and logs of up to three cuts with violations"
                            + " (default: bench-results/powercut-TIME).")
    private @Nullable Path out;

    /** Converter of a time. */
    private static final class DurationConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return Quantity.duration(text);
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        long used = seed == null ? ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE) : seed;
        Random random = new Random(used);
        PowerCutReport report = new PowerCutReport();
        @Nullable CutSeries series = null;
        try {
            for (int first = 1, run = 1; first <= cuts; first += cutsPerRun, run++) {
                int count = Math.min(cutsPerRun, cuts - first + 1);
                try (CutDisk disk = CutDisk.create(directory(), fileSystem)) {
                    if (series == null) {
                        // Not before: where the test cannot run, it leaves no folder.
                        series = new CutSeries(folder(), report, settings(), used, cuts);
                        System.err.println("millrace bench: " + cuts + " power cuts, seed " + used);
                    }
                    series.run(plan(disk.directory()), disk, run, first, count, random);
                }
            }
        } catch (UnavailableException e) {
            System.err.println("millrace bench: powercut cannot run here: " + e.getMessage());
            return UNAVAILABLE;
        }
        report.lines(used).forEach(System.out::println);
        return report.passed() ? 0 : 1;
    }

    private Path directory() throws IOException {
        Path parent = work == null ? Path.of(System.getProperty("java.io.tmpdir")) : Files.createDirectories(work);
        return Files.createTempDirectory(parent, "millrace-powercut").toAbsolutePath();
    }

    private DocumentFiles folder() throws IOException {
        DocumentFiles folder = new DocumentFiles(out == null ? DocumentFiles.defaultFolder("powercut") : out);
        System.err.println("millrace bench: the report is in " + folder.path().toAbsolutePath());
        return folder;
    }

    private CutPlan plan(Path directory) {
        return new CutPlan(directory, between, sync, receivers, new CutPlan.Rates(relpRate, tcpRate, udpRate));
    }

    private void check() {
        if (cuts < 1) {
            throw new IllegalArgumentException("--cuts accepts 1 or more, not " + cuts);
        }
        if (cutsPerRun < 1 || cutsPerRun > MAX_CUTS_PER_RUN) {
            throw new IllegalArgumentException(
                    "--cuts-per-run accepts 1 to " + MAX_CUTS_PER_RUN + ", not " + cutsPerRun);
        }
        if (receivers < 1 || receivers > MAX_RECEIVERS) {
            throw new IllegalArgumentException("--receivers accepts 1 to " + MAX_RECEIVERS + ", not " + receivers);
        }
        if (Math.max(relpRate, Math.max(tcpRate, udpRate)) > MAX_RATE) {
            throw new IllegalArgumentException("rates are at most " + MAX_RATE + " messages per second");
        }
        if (relpRate + tcpRate + udpRate == 0) {
            throw new IllegalArgumentException("one of --relp-rate, --tcp-rate and --udp-rate must be above 0");
        }
    }

    private Map<String, String> settings() {
        Map<String, String> found = new LinkedHashMap<>();
        found.put("cuts per run of the service", Integer.toString(cutsPerRun));
        found.put("mean time between cuts, ms", Long.toString(between.toMillis()));
        found.put("journal.sync", sync == null ? "the default" : sync);
        found.put("file system", fileSystem.label());
        found.put("receivers", Integer.toString(receivers));
        found.put("RELP, TCP and UDP, messages of 125 bytes per second", relpRate + ", " + tcpRate + ", " + udpRate);
        return found;
    }
}
