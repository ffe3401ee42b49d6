package io.millrace.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import io.millrace.bench.report.DocumentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A running soak test: one thread takes a sample per second and does what is due. */
final class SoakRun {
    private static final long STEP_MS = 1000;
    private static final long PROGRESS_NS = TimeUnit.MINUTES.toNanos(1);
    private static final Duration SENDER_GRACE = Duration.ofSeconds(30);
    private static final Duration DRAIN = Duration.ofMinutes(3);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int MAX_LOG_LINES = 200;

    private final SoakPlan plan;
    private final DocumentFiles folder;
    private final ArchiveCheck archive;
    private final SoakVerdict verdict = new SoakVerdict();
    private final List<SoakSample> samples = new ArrayList<>();
    private final long beginNs = System.nanoTime();
    private List<String> log = List.of();
    private long reloads;
    private long maxPending;

    SoakRun(SoakPlan plan, DocumentFiles folder) {
        this.plan = plan;
        this.folder = folder;
        this.archive = new ArchiveCheck(plan.archive(), plan.runId());
    }

    SoakVerdict verdict() {
        return verdict;
    }

    List<SoakSample> samples() {
        return List.copyOf(samples);
    }

    /** The log of the service, after it has ended. */
    List<String> log() {
        return log;
    }

    /** Written each minute, so that an interrupted test leaves them too. */
    private void writeSamples() throws IOException {
        StringBuilder out = new StringBuilder(SoakSample.HEADER).append('\n');
        samples.forEach(sample -> out.append(sample.csv()).append('\n'));
        folder.write("samples.csv", out.toString());
    }

    void run() throws IOException, InterruptedException {
        Files.createDirectories(plan.archive());
        try (FlakyHttpServer web = new FlakyHttpServer(plan.runId(), plan.refuseEvery(), plan.refuseFor())) {
            Files.writeString(plan.configFile(), plan.configuration(web.port(), false));
            try (SoakService service = SoakService.start(plan);
                    ChildProcess sender = ChildProcess.start("the sender", senderCommand(service))) {
                System.err.println("millrace bench: " + service.ready());
                while (sender.isAlive()) {
                    step(service, web);
                }
                writeSamples();
                long sent = sent(sender);
                web.recover();
                drain(service);
                JsonNode ledger = service.ledger();
                int code = service.stop();
                log = service.log();
                log = log.subList(Math.max(0, log.size() - MAX_LOG_LINES), log.size());
                judge(sent, ledger, code, web);
            }
        }
    }

    private List<String> senderCommand(SoakService service) throws IOException {
        List<String> command = new ArrayList<>(Programs.java());
        command.addAll(List.of(
                "-jar", Programs.built("sender-tool/target/millrace-send.jar").toString(), "--to", service.target()));
        command.addAll(plan.senderOptions());
        return command;
    }

    /** One step: takes a sample, reloads if due, and reads complete files of the archive. */
    private void step(SoakService service, FlakyHttpServer web) throws IOException, InterruptedException {
        Thread.sleep(STEP_MS);
        if (!service.isAlive()) {
            throw new IOException("the service has ended unexpectedly: " + String.join("\n", service.log()));
        }
        long nowNs = System.nanoTime();
        SoakSample sample = SoakSample.take((nowNs - beginNs) / NANOS_PER_SECOND, service, plan);
        @Nullable SoakSample before = samples.isEmpty() ? null : samples.get(samples.size() - 1);
        samples.add(sample);
        maxPending = Math.max(maxPending, sample.pending());
        archive.readRotated();
        if ((nowNs - beginNs) / plan.reloadEvery().toNanos() > reloads) {
            reloads++;
            Files.writeString(plan.configFile(), plan.configuration(web.port(), reloads % 2 == 1));
            service.reload();
        }
        if (before == null
                || (long) (sample.seconds() * NANOS_PER_SECOND) / PROGRESS_NS
                        > (long) (before.seconds() * NANOS_PER_SECOND) / PROGRESS_NS) {
            writeSamples();
            System.err.printf(
                    Locale.ROOT,
                    "[%.0f of %.0f min] journaled %,d, dropped %,d, undelivered %,d, memory %,d MiB, open files %d,"
                            + " journal %,d MiB, reloads %d%n",
                    sample.seconds() / 60,
                    plan.length().toMillis() / 60_000.0,
                    sample.journaled(),
                    sample.dropped(),
                    sample.pending(),
                    sample.memoryKib() >> 10,
                    sample.openFiles(),
                    sample.journalBytes() >> 20,
                    reloads);
        }
    }

    private static long sent(ChildProcess sender) throws IOException, InterruptedException {
        int code = sender.awaitExit(SENDER_GRACE);
        if (sender.out().isEmpty()) {
            throw new IOException("the sender ended with exit code " + code + ": " + sender.lastLines());
        }
        return new ObjectMapper().readTree(sender.out().get(0)).path("sent").asLong();
    }

    /** Waits until all outputs have delivered everything. */
    private void drain(SoakService service) throws IOException, InterruptedException {
        long end = System.nanoTime() + DRAIN.toNanos();
        while (System.nanoTime() < end
                && SoakSample.take((System.nanoTime() - beginNs) / NANOS_PER_SECOND, service, plan)
                                .pending()
                        > 0) {
            archive.readRotated();
            Thread.sleep(STEP_MS);
        }
    }

    private void judge(long sent, JsonNode ledger, int code, FlakyHttpServer web) throws IOException {
        archive.readLast();
        verdict.ledger(sent, ledger);
        verdict.output(SoakPlan.ARCHIVE, ledger);
        verdict.output(SoakPlan.WEB, ledger);
        if (plan.kafka() != null) {
            verdict.output(SoakPlan.QUEUE, ledger);
        }
        verdict.archive(archive.check(), ledger.path("journaled").asLong());
        verdict.web(web.check(), archive.check());
        verdict.add(
                true,
                "%,d reloads of the configuration, %,d refused requests, up to %,d undelivered datagrams, %,d files of the"
                        + " archive",
                reloads,
                web.refused(),
                maxPending,
                archive.files());
        verdict.add(code == 0, "the service ended with exit code %d", code);
        verdict.growth(samples);
    }
}
