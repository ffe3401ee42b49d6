package io.millrace.bench.powercut;

import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.subject.MillraceService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of the service on an empty disk: copies of the disk are made under load. When it has ended, its journal and the file of its
 * output are the reference for the checks of the copies.
 */
final class CutRun {
    private static final Pattern LONGEST_SYNC =
            Pattern.compile("(?m)^millrace_journal_sync_seconds\\{[^}]*percentile=\"100\"[^}]*} (\\S+)$");

    private static final Duration STOP_TIMEOUT = Duration.ofMinutes(2);
    private static final long ANSWERS_TIMEOUT_MS = 30_000;
    private static final long DELIVERY_TIMEOUT_MS = 120_000;
    private static final long POLL_MS = 20;
    /** For answers that were sent before the cut and are still in a socket. */
    private static final long SETTLE_MS = 10;

    /** The service stands still from the first command to the end of the copy: what was answered is known exactly. */
    private static final String CUT =
            "kill -STOP \"$0\" && a=$(date +%s%N) && cp --reflink=always \"$1\" \"$2\" && echo \"$a $(date +%s%N)\"";

    private final CutPlan plan;
    private final CutDisk disk;
    private final int number;
    private final MessageFormat format;
    private final Random random;
    private final List<Cut> cuts = new ArrayList<>();
    private double longestSyncSeconds;
    private List<Source> sources = List.of();

    CutRun(CutPlan plan, CutDisk disk, int number, MessageFormat format, Random random) {
        this.plan = plan;
        this.disk = disk;
        this.number = number;
        this.format = format;
        this.random = random;
    }

    /** Runs it to its end, with some cuts. */
    void run(int firstCut, int count) throws IOException, InterruptedException {
        Files.createDirectories(plan.outputDirectory());
        Files.writeString(plan.configFile(), plan.configuration());
        MillraceService service = start(plan);
        try (ChildProcess process = service.process();
                Senders senders = Senders.start(service, format, plan.rates(), 0, Integer.MAX_VALUE)) {
            sources = senders.sources();
            for (int i = 0; i < count; i++) {
                pause(process, senders);
                cuts.add(cut(firstCut + i, process, senders));
                noteSync(service);
            }
            senders.stop(ANSWERS_TIMEOUT_MS);
            awaitDelivered(service, 0, DELIVERY_TIMEOUT_MS);
            noteSync(service);
            int code = process.terminate(STOP_TIMEOUT);
            if (code != 0) {
                throw new IOException("the service ended with exit code " + code + ": " + process.lastLines());
            }
        }
        Files.move(plan.delivered(), deliveredFile(), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Starts the service of a plan, with more options of the JVM. */
    static MillraceService start(CutPlan plan, String... jvmOptions) throws IOException, InterruptedException {
        List<String> command = MillraceService.command(
                "--config", plan.configFile().toString(), "--data", plan.data().toString(), "--admin", "127.0.0.1:0");
        command.addAll(1, List.of(jvmOptions));
        return MillraceService.start("the service", command);
    }

    /** Waits for a random time. */
    private void pause(ChildProcess process, Senders senders) throws IOException, InterruptedException {
        long end = System.nanoTime() + (long) (2 * plan.between().toNanos() * random.nextDouble());
        while (true) {
            senders.check();
            if (!process.isAlive()) {
                throw new IOException("the service has ended: " + process.lastLines());
            }
            long leftNs = end - System.nanoTime();
            if (leftNs <= 0) {
                return;
            }
            TimeUnit.NANOSECONDS.sleep(Math.min(leftNs, TimeUnit.MILLISECONDS.toNanos(POLL_MS)));
        }
    }

    private Cut cut(int cutNumber, ChildProcess process, Senders senders) throws IOException, InterruptedException {
        Path copy = disk.copy("cut-" + cutNumber);
        String pid = Long.toString(process.pid());
        try {
            String[] times = Shell.run("sh", "-c", CUT, pid, disk.image().toString(), copy.toString())
                    .split(" ", 2);
            long beginMicros = Long.parseLong(times[0]) / 1000;
            long endMicros = Long.parseLong(times[1]) / 1000;
            int answered = senders.answered();
            for (int before = -1; before != answered; answered = senders.answered()) {
                before = answered;
                Thread.sleep(SETTLE_MS);
            }
            long delivered = Files.exists(plan.delivered()) ? Files.size(plan.delivered()) : 0;
            long at = beginMicros - senders.beginMicros();
            return new Cut(cutNumber, number, copy, at, endMicros - beginMicros, answered, delivered);
        } finally {
            Shell.run("sh", "-c", "kill -CONT \"$0\"", pid);
        }
    }

    private void noteSync(MillraceService service) throws IOException {
        Matcher found = LONGEST_SYNC.matcher(service.text("/metrics"));
        while (found.find()) {
            longestSyncSeconds = Math.max(longestSyncSeconds, Double.parseDouble(found.group(1)));
        }
    }

    /**
     * Waits until a service has journaled some messages and its output has delivered everything.
     *
     * @return false if it has not in time
     */
    static boolean awaitDelivered(MillraceService service, long journaled, long timeoutMs)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (System.nanoTime() < end) {
            var ledger = service.get("/api/ledger");
            if (ledger.path("journaled").asLong() >= journaled
                    && ledger.path("inFlight").asLong() == 0
                    && ledger.at("/delivered/" + CutPlan.OUTPUT + "/pending").asLong(1) == 0) {
                return true;
            }
            Thread.sleep(POLL_MS);
        }
        return false;
    }

    /** The file of the output of this run. */
    Path deliveredFile() {
        return plan.directory().resolve("delivered.log");
    }

    List<Cut> cuts() {
        return List.copyOf(cuts);
    }

    List<Source> sources() {
        return sources;
    }

    /** The longest sync that the service reported, in seconds. */
    double longestSyncSeconds() {
        return longestSyncSeconds;
    }
}
