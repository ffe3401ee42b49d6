package io.millrace.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.check.RunCheck;
import io.millrace.bench.check.SourceCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** What has to hold at the end of a soak, each with the values it was judged by. */
final class Verdict {
    /** With fewer samples nothing is said of growth: a JVM goes on growing into its heap for minutes. */
    private static final int SAMPLES_FOR_GROWTH = 300;

    private static final double MEMORY_FACTOR = 1.05;
    private static final long MEMORY_SLACK_KIB = 16 << 10;
    private static final long COUNT_SLACK = 2;

    private final List<Finding> findings = new ArrayList<>();

    /**
     * One thing that has to hold.
     *
     * @param holds whether it does
     * @param text what, with values
     */
    record Finding(boolean holds, String text) {}

    List<Finding> findings() {
        return List.copyOf(findings);
    }

    boolean holds() {
        return findings.stream().allMatch(Finding::holds);
    }

    void add(boolean holds, String format, Object... args) {
        findings.add(new Finding(holds, String.format(Locale.ROOT, format, args)));
    }

    /** The ledger closes: what was sent is journaled, or named. */
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

    /** What an output has acknowledged, is done with otherwise, or lost, is what was journaled. */
    void output(String name, JsonNode ledger) {
        JsonNode output = ledger.path("delivered").path(name);
        long acked = output.path("acked").asLong();
        long filtered = output.path("filtered").asLong();
        long journaled = ledger.path("journaled").asLong();
        add(
                acked + filtered == journaled,
                "output %s: acknowledged %,d + not for it %,d = journaled %,d (tried again: %,d, dead letters %,d, expired %,d)",
                name,
                acked,
                filtered,
                journaled,
                output.path("retries").asLong(),
                output.path("deadLettered").asLong(),
                output.path("expired").asLong());
    }

    /** Each datagram is in the archive. */
    void archive(RunCheck check, long journaled) {
        add(
                check.distinct() == journaled && check.others() == 0,
                "in the archive %,d of %,d, each looked at (there again: %,d, other lines: %,d)",
                check.distinct(),
                journaled,
                check.duplicated(),
                check.others());
    }

    /** What came to the server is what the archive has of the one source that goes there. */
    void web(RunCheck web, RunCheck archive) {
        long expected = archive.sources().stream()
                .filter(source -> source.number() == 0)
                .mapToLong(SourceCheck::received)
                .sum();
        add(
                web.distinct() == expected && web.others() == 0,
                "at the server that refuses now and then %,d of %,d (there again: %,d)",
                web.distinct(),
                expected,
                web.duplicated());
    }

    /** Neither memory nor descriptors nor threads grow from the second third to the last. */
    void growth(List<Sample> samples) {
        if (samples.size() < SAMPLES_FOR_GROWTH) {
            add(true, "growth is not judged: %d samples, and it takes %d", samples.size(), SAMPLES_FOR_GROWTH);
            return;
        }
        List<Sample> middle = samples.subList(samples.size() / 3, samples.size() * 2 / 3);
        List<Sample> last = samples.subList(samples.size() * 2 / 3, samples.size());
        long before = median(middle, Sample::memoryKib);
        long after = median(last, Sample::memoryKib);
        add(
                after <= before * MEMORY_FACTOR + MEMORY_SLACK_KIB,
                "memory: median %,d MiB in the second third, %,d MiB in the last",
                before >> 10,
                after >> 10);
        count("open files", middle, last, Sample::openFiles);
        count("threads", middle, last, Sample::threads);
    }

    /** What leaks is there in every sample from then on; the highest is that of a moment in which several files rolled at once. */
    private void count(String what, List<Sample> middle, List<Sample> last, ToLongFunction<Sample> of) {
        long before = median(middle, of);
        long after = median(last, of);
        add(
                after <= before + COUNT_SLACK,
                "%s: median %,d in the second third, %,d in the last (at most %,d and %,d)",
                what,
                before,
                after,
                most(middle, of),
                most(last, of));
    }

    private static long most(List<Sample> samples, ToLongFunction<Sample> of) {
        return samples.stream().mapToLong(of).max().orElse(0);
    }

    private static long median(List<Sample> samples, ToLongFunction<Sample> of) {
        return samples.stream()
                .mapToLong(of)
                .sorted()
                .skip(samples.size() / 2)
                .findFirst()
                .orElse(0);
    }
}
