package io.millrace.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.bench.report.DocumentFiles;
import io.millrace.bench.subject.ChildProcess;
import io.millrace.bench.subject.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A soak under way: one thread looks every second, and does what is due. */
final class SoakRun {
    private static final long STEP_MS = 1000;
    private static final long SAY_NS = TimeUnit.MINUTES.toNanos(1);
    private static final Duration SENDER_GRACE = Duration.ofSeconds(30);
    private static final Duration DRAIN = Duration.ofMinutes(3);
    private static final double NANOS_A_SECOND = 1e9;
    private static final int MAX_LOG_LINES = 200;

    private final SoakPlan plan;
    private final DocumentFiles folder;
    private final ArchiveCheck archive;
    private final Verdict verdict = new Verdict();
    private final List<Sample> samples = new ArrayList<>();
    private final long beginNs = System.nanoTime();
    private List<String> log = List.of();
    private long reloads;
    private long mostPending;

    SoakRun(SoakPlan plan, DocumentFiles folder) {
        this.plan = plan;
        this.folder = folder;
        this.archive = new ArchiveCheck(plan.archive(), plan.runId());
    }

    Verdict verdict() {
        return verdict;
    }

    List<Sample> samples() {
        return List.copyOf(samples);
    }

    /** What the service said; once it has ended. */
    List<String> log() {
        return log;
    }

    /** Each minute, so that a soak that is interrupted leaves them too. */
    private void writeSamples() throws IOException {
        StringBuilder out = new StringBuilder(Sample.HEADER).append('\n');
        samples.forEach(sample -> out.append(sample.csv()).append('\n'));
        folder.write("samples.csv", out.toString());
    }

    void run() throws IOException, InterruptedException {
        Files.createDirectories(plan.archive());
        try (UnreliableServer web = new UnreliableServer(plan.runId(), plan.refuseEvery(), plan.refuseFor())) {
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

    /** A second of it: look, change what is due, read the archive as far as it is whole. */
    private void step(SoakService service, UnreliableServer web) throws IOException, InterruptedException {
        Thread.sleep(STEP_MS);
        if (!service.isAlive()) {
            throw new IOException("the service has ended by itself: " + String.join("\n", service.log()));
        }
        long nowNs = System.nanoTime();
        Sample sample = Sample.take((nowNs - beginNs) / NANOS_A_SECOND, service, plan);
        @Nullable Sample before = samples.isEmpty() ? null : samples.get(samples.size() - 1);
        samples.add(sample);
        mostPending = Math.max(mostPending, sample.pending());
        archive.takeRotated();
        if ((nowNs - beginNs) / plan.reloadEvery().toNanos() > reloads) {
            reloads++;
            Files.writeString(plan.configFile(), plan.configuration(web.port(), reloads % 2 == 1));
            service.reload();
        }
        if (before == null
                || (long) (sample.seconds() * NANOS_A_SECOND) / SAY_NS
                        > (long) (before.seconds() * NANOS_A_SECOND) / SAY_NS) {
            writeSamples();
            System.err.printf(
                    Locale.ROOT,
                    "[%.0f of %.0f min] journaled %,d, dropped %,d, waiting %,d, memory %,d MiB, open files %d,"
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
            throw new IOException("the sender ended with exit code " + code + ": " + sender.said());
        }
        return new ObjectMapper().readTree(sender.out().get(0)).path("sent").asLong();
    }

    /** Waits until nothing waits for an output. */
    private void drain(SoakService service) throws IOException, InterruptedException {
        long end = System.nanoTime() + DRAIN.toNanos();
        while (System.nanoTime() < end
                && Sample.take((System.nanoTime() - beginNs) / NANOS_A_SECOND, service, plan)
                                .pending()
                        > 0) {
            archive.takeRotated();
            Thread.sleep(STEP_MS);
        }
    }

    private void judge(long sent, JsonNode ledger, int code, UnreliableServer web) throws IOException {
        archive.takeLast();
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
                "the configuration was read again %,d times, and %,d requests were refused; at most %,d datagrams waited"
                        + " for an output; %,d files of the archive",
                reloads,
                web.refused(),
                mostPending,
                archive.files());
        verdict.add(code == 0, "the service ended with exit code %d", code);
        verdict.growth(samples);
    }
}
