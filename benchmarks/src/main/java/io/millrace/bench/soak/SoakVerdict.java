package io.millrace.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.check.RunCheck;
import io.millrace.bench.check.SourceCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** The findings at the end of a soak test, with their measurements. */
final class SoakVerdict {
    /** With fewer samples growth is not checked: the heap of a JVM grows for minutes. */
    private static final int MIN_SAMPLES_FOR_GROWTH = 300;

    private static final double MEMORY_FACTOR = 1.05;
    private static final long MEMORY_SLACK_KIB = 16 << 10;
    private static final long COUNT_SLACK = 2;

    private final List<Finding> findings = new ArrayList<>();

    /**
     * A condition that must hold.
     *
     * @param passed whether it passed
     * @param text the condition with its measurements
     */
    record Finding(boolean passed, String text) {}

    List<Finding> findings() {
        return List.copyOf(findings);
    }

    boolean passed() {
        return findings.stream().allMatch(Finding::passed);
    }

    void add(boolean passed, String format, Object... args) {
        findings.add(new Finding(passed, String.format(Locale.ROOT, format, args)));
    }

    /** The ledger closes: each sent datagram is journaled or counted as a loss. */
    void ledger(long sent, JsonNode ledger) {
        long received = ledger.path("received").asLong();
        long dropped = ledger.at("/dropped/socketBuffer").asLong()
                + ledger.at("/dropped/journalFull").asLong();
        long journaled = ledger.path("journaled").asLong();
        add(
                sent == received + dropped,
                "sent %,d = received %,d + dropped by the kernel at the socket %,d",
                sent,
                received,
                dropped);
        add(received == journaled, "received %,d = journaled %,d", received, journaled);
    }

    /** Each journaled datagram is acknowledged or filtered by an output. */
    void output(String name, JsonNode ledger) {
        JsonNode output = ledger.path("delivered").path(name);
        long acked = output.path("acked").asLong();
        long filtered = output.path("filtered").asLong();
        long journaled = ledger.path("journaled").asLong();
        add(
                acked + filtered == journaled,
                "output %s: acknowledged %,d + filtered %,d = journaled %,d (retries %,d, dead letters %,d, expired %,d)",
                name,
                acked,
                filtered,
                journaled,
                output.path("retries").asLong(),
                output.path("deadLettered").asLong(),
                output.path("expired").asLong());
    }

    void archive(RunCheck check, long journaled) {
        add(
                check.distinct() == journaled && check.others() == 0,
                "the archive has %,d of %,d datagrams (duplicates: %,d, other lines: %,d)",
                check.distinct(),
                journaled,
                check.duplicated(),
                check.others());
    }

    /** The server received the datagrams of its source that the archive has. */
    void web(RunCheck web, RunCheck archive) {
        long expected = archive.sources().stream()
                .filter(source -> source.number() == 0)
                .mapToLong(SourceCheck::received)
                .sum();
        add(
                web.distinct() == expected && web.others() == 0,
                "the flaky server has %,d of %,d datagrams (duplicates: %,d)",
                web.distinct(),
                expected,
                web.duplicated());
    }

    /** Memory, descriptors and threads do not grow from the second third to the last. */
    void growth(List<SoakSample> samples) {
        if (samples.size() < MIN_SAMPLES_FOR_GROWTH) {
            add(true, "growth is not checked: %d samples, the minimum is %d", samples.size(), MIN_SAMPLES_FOR_GROWTH);
            return;
        }
        List<SoakSample> middle = samples.subList(samples.size() / 3, samples.size() * 2 / 3);
        List<SoakSample> last = samples.subList(samples.size() * 2 / 3, samples.size());
        long before = median(middle, SoakSample::memoryKib);
        long after = median(last, SoakSample::memoryKib);
        add(
                after <= before * MEMORY_FACTOR + MEMORY_SLACK_KIB,
                "memory: median %,d MiB in the second third, %,d MiB in the last",
                before >> 10,
                after >> 10);
        count("open files", middle, last, SoakSample::openFiles);
        count("threads", middle, last, SoakSample::threads);
    }

    /** A leak shows in every later sample, so the median is compared. The maximum may be a moment when several files rolled. */
    private void count(String what, List<SoakSample> middle, List<SoakSample> last, ToLongFunction<SoakSample> of) {
        long before = median(middle, of);
        long after = median(last, of);
        add(
                after <= before + COUNT_SLACK,
                "%s: median %,d in the second third, %,d in the last (maximum %,d and %,d)",
                what,
                before,
                after,
                max(middle, of),
                max(last, of));
    }

    private static long max(List<SoakSample> samples, ToLongFunction<SoakSample> of) {
        return samples.stream().mapToLong(of).max().orElse(0);
    }

    private static long median(List<SoakSample> samples, ToLongFunction<SoakSample> of) {
        return samples.stream()
                .mapToLong(of)
                .sorted()
                .skip(samples.size() / 2)
                .findFirst()
                .orElse(0);
    }
}
