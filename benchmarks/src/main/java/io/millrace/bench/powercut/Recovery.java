package io.millrace.bench.powercut;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import io.millrace.bench.host.ScratchDirectory;
import io.millrace.bench.subject.MillraceService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The service on a copy of the disk: it has to be ready by itself, and what it recovered is checked. */
final class Recovery {
    private static final Duration STOP_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration VERIFY_TIMEOUT = Duration.ofMinutes(2);
    private static final long DELIVERY_TIMEOUT_MS = 60_000;
    private static final long ANSWERS_TIMEOUT_MS = 30_000;
    private static final int NEW_MESSAGES = 100;
    private static final long NEW_RATE = 10_000;

    private final CutPlan plan;
    private final CutRun run;
    private final Cut cut;
    private final Reference reference;
    private final List<String> violations = new ArrayList<>();
    private List<String> log = List.of();
    private long readyMs;
    private long ledgerGap;

    /**
     * What the run itself recorded.
     *
     * @param format the format of its messages
     * @param journal its journal
     * @param delivered the file of its output
     */
    record Reference(MessageFormat format, JournalContent journal, DeliveredFile delivered) {}

    Recovery(CutPlan plan, CutRun run, Cut cut, Reference reference) {
        this.plan = plan;
        this.run = run;
        this.cut = cut;
        this.reference = reference;
    }

    /** Recovers and checks; the copy is mounted in place of the original disk. */
    CutResult check() throws IOException, InterruptedException {
        Path output = plan.outputDirectory();
        if (Files.exists(output)) {
            ScratchDirectory.delete(output);
        }
        Files.createDirectories(output);
        if (!runService()) {
            return result(0, new CutResult.Lost(0, 0), new CutResult.Lost(0, 0), 0, 0);
        }
        verify();
        JournalContent journal = JournalContent.read(plan.data(), reference.format());
        DeliveredFile delivered = DeliveredFile.read(plan.delivered(), reference.format());
        journal.problems().forEach(problem -> violate("the recovered journal: %s", problem));
        if (journal.missing() != ledgerGap) {
            violate("%,d sequence numbers are missing, and the ledger says %,d", journal.missing(), ledgerGap);
        }
        checkNewMessages(journal);
        DeliveryCheck check = DeliveryCheck.of(reference.delivered(), cut.deliveredBytes(), journal, delivered);
        check.problems(ledgerGap).forEach(problem -> violate("%s", problem));
        long missing = checkAnswered(journal);
        return result(
                missing, lost(CutPlan.TCP, journal), lost(CutPlan.UDP, journal), journal.missing(), check.resent());
    }

    private CutResult result(long answeredMissing, CutResult.Lost tcp, CutResult.Lost udp, long missing, long resent) {
        return new CutResult(
                cut, answeredMissing, tcp, udp, missing, ledgerGap, resent, readyMs, List.copyOf(violations));
    }

    /** The log of the recovered service. */
    List<String> log() {
        return log;
    }

    private void violate(String format, Object... args) {
        violations.add(String.format(Locale.ROOT, format, args));
    }

    /** Starts the service, sends new messages, waits for the output, and stops it. False if it did not start. */
    private boolean runService() throws InterruptedException {
        long startNs = System.nanoTime();
        try {
            MillraceService service = CutRun.start(plan, "-XX:TieredStopAtLevel=1");
            try (ChildProcess process = service.process()) {
                readyMs = (System.nanoTime() - startNs) / 1_000_000;
                use(service);
                int code = process.terminate(STOP_TIMEOUT);
                log = process.err();
                if (code != 0) {
                    violate("the recovered service ended with exit code %d", code);
                }
                return true;
            }
        } catch (IOException e) {
            violate("the recovered service: %s", String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void use(MillraceService service) throws IOException, InterruptedException {
        CutPlan.Rates rates = new CutPlan.Rates(newRate(CutPlan.RELP), newRate(CutPlan.TCP), newRate(CutPlan.UDP));
        long expected = (rates.relp() + rates.tcp() + rates.udp()) / NEW_RATE * NEW_MESSAGES;
        try (Senders senders = Senders.start(service, reference.format(), rates, CutPlan.SOURCES, NEW_MESSAGES)) {
            senders.awaitDone(ANSWERS_TIMEOUT_MS);
            if (!CutRun.awaitDelivered(service, expected, DELIVERY_TIMEOUT_MS)) {
                violate("the output of the recovered service has not delivered everything: %s", ledger(service));
            }
            ledgerGap = ledger(service).at("/lifetime/powerFailure").asLong();
        }
    }

    private long newRate(int source) {
        return plan.rates().of(source) == 0 ? 0 : NEW_RATE;
    }

    private static JsonNode ledger(MillraceService service) throws IOException {
        return service.get("/api/ledger");
    }

    private void verify() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Programs.java());
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-jar",
                Programs.built("collector-app/target/millrace.jar").toString(),
                "journal",
                "verify",
                "--data",
                plan.data().toString()));
        try (ChildProcess process = ChildProcess.start("journal verify", command)) {
            int code = process.awaitExit(VERIFY_TIMEOUT);
            if (code != 0) {
                violate(
                        "journal verify ended with exit code %d: %s",
                        code, process.lastLines().replace("\n", "; "));
            }
        }
    }

    private void checkNewMessages(JournalContent journal) {
        for (int source = 0; source < CutPlan.SOURCES; source++) {
            int found = journal.count(CutPlan.SOURCES + source);
            if (plan.rates().of(source) > 0 && found != NEW_MESSAGES) {
                violate("of %d new messages of source %d, %d are journaled", NEW_MESSAGES, source, found);
            }
        }
    }

    private long checkAnswered(JournalContent journal) {
        long missing = 0;
        int first = -1;
        for (int message = 0; message < cut.answered(); message++) {
            if (!journal.has(CutPlan.RELP, message)) {
                missing++;
                first = first < 0 ? message : first;
            }
        }
        if (missing > 0) {
            violate(
                    "%,d of %,d answered RELP messages are missing, from message %,d on, sent %,d ms before the cut",
                    missing, cut.answered(), first, millisBefore(CutPlan.RELP, first));
        }
        return missing;
    }

    /** Only what the service had received counts: the reference journal does not have what the kernel dropped. */
    private CutResult.Lost lost(int number, JournalContent journal) {
        Source source = source(number);
        if (source == null) {
            return new CutResult.Lost(0, 0);
        }
        long lost = 0;
        int first = -1;
        int sent = source.sentUntil(cut.atMicros());
        for (int message = 0; message < sent; message++) {
            if (reference.journal().has(number, message) && !journal.has(number, message)) {
                lost++;
                first = first < 0 ? message : first;
            }
        }
        long millis = first < 0 ? 0 : millisBefore(number, first);
        long limit = plan.limitMillis(run.longestSyncSeconds());
        if (millis > limit) {
            violate(
                    "%,d messages of source %d are missing from %,d ms before the cut on, more than %,d ms",
                    lost, number, millis, limit);
        }
        return new CutResult.Lost(lost, millis);
    }

    private long millisBefore(int number, int message) {
        Source source = source(number);
        return source == null ? 0 : (cut.atMicros() - source.sentMicros(message)) / 1000;
    }

    private @Nullable Source source(int number) {
        return run.sources().stream()
                .filter(source -> source.number() == number)
                .findFirst()
                .orElse(null);
    }
}
