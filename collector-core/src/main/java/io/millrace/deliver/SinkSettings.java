package io.millrace.deliver;

import io.millrace.filter.Filter;
import io.millrace.format.InputRules;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How records are delivered to a sink.
 *
 * @param name its name in metrics and messages, and of its file of positions: letters, digits, dots, dashes and underscores
 * @param filter only records this is true of; null for all
 * @param from where a sink begins that has no positions yet
 * @param rules how what comes in is read
 * @param inputRules the same for the inputs named here
 * @param extensions true if JSON has the extension of CEF and LEEF as an object too
 * @param batchRecords the most records of a batch
 * @param batchBytes a batch with so many bytes is full
 * @param retryAtLeast how long after a first failure it is tried again
 * @param retryAtMost the longest time between two attempts
 * @param deadLetterBytes how many bytes of dead letters are kept; then the oldest go, and are counted
 */
public record SinkSettings(
        String name,
        @Nullable Filter filter,
        StartAt from,
        InputRules rules,
        Map<String, InputRules> inputRules,
        boolean extensions,
        int batchRecords,
        int batchBytes,
        Duration retryAtLeast,
        Duration retryAtMost,
        long deadLetterBytes) {
    private static final long MIN_DEAD_LETTER_BYTES = 1 << 20;
    private static final String NAME = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}";

    /** Checks every setting; the message of the exception names the first that is wrong and what it takes. */
    public SinkSettings {
        checkName(name);
        inputRules = Map.copyOf(inputRules);
        check(batchRecords >= 1 && batchRecords <= 1_000_000, "batch-records", batchRecords, "1 to 1000000");
        check(
                batchBytes >= 1024 && batchBytes <= 256 << 20,
                "batch-bytes",
                batchBytes,
                "1024 to " + (256 << 20) + " bytes");
        check(
                retryAtLeast.toMillis() >= 1 && retryAtMost.compareTo(retryAtLeast) >= 0,
                "retry",
                retryAtLeast.toMillis() + " to " + retryAtMost.toMillis() + " ms",
                "a time of at least 1 ms, and a longer one");
        check(
                deadLetterBytes >= MIN_DEAD_LETTER_BYTES,
                "dead-letter-bytes",
                deadLetterBytes,
                "at least " + MIN_DEAD_LETTER_BYTES + " bytes");
    }

    /** All records from the beginning of the journal on, this host's time zone, a MiB a batch, retries after 100 ms to 10 s, 256 MiB of dead letters. */
    public static SinkSettings of(String name) {
        return new SinkSettings(
                name,
                null,
                StartAt.BEGIN,
                InputRules.DEFAULT,
                Map.of(),
                false,
                10_000,
                1 << 20,
                Duration.ofMillis(100),
                Duration.ofSeconds(10),
                256 << 20);
    }

    /** The same for records a filter is true of. */
    public SinkSettings where(@Nullable Filter expression) {
        return new SinkSettings(
                name,
                expression,
                from,
                rules,
                inputRules,
                extensions,
                batchRecords,
                batchBytes,
                retryAtLeast,
                retryAtMost,
                deadLetterBytes);
    }

    /** The same with another beginning. */
    public SinkSettings from(StartAt start) {
        return new SinkSettings(
                name,
                filter,
                start,
                rules,
                inputRules,
                extensions,
                batchRecords,
                batchBytes,
                retryAtLeast,
                retryAtMost,
                deadLetterBytes);
    }

    /** The same with other rules: those of some inputs, by name, and of all others. */
    public SinkSettings rules(InputRules ofOthers, Map<String, InputRules> ofInputs) {
        return new SinkSettings(
                name,
                filter,
                from,
                ofOthers,
                ofInputs,
                extensions,
                batchRecords,
                batchBytes,
                retryAtLeast,
                retryAtMost,
                deadLetterBytes);
    }

    /** The same with or without the extension of CEF and LEEF as an object in JSON. */
    public SinkSettings extensions(boolean written) {
        return new SinkSettings(
                name,
                filter,
                from,
                rules,
                inputRules,
                written,
                batchRecords,
                batchBytes,
                retryAtLeast,
                retryAtMost,
                deadLetterBytes);
    }

    /** The same with batches of another size. */
    public SinkSettings batches(int records, int bytes) {
        return new SinkSettings(
                name,
                filter,
                from,
                rules,
                inputRules,
                extensions,
                records,
                bytes,
                retryAtLeast,
                retryAtMost,
                deadLetterBytes);
    }

    /** The same with other times between attempts. */
    public SinkSettings retry(Duration atLeast, Duration atMost) {
        return new SinkSettings(
                name,
                filter,
                from,
                rules,
                inputRules,
                extensions,
                batchRecords,
                batchBytes,
                atLeast,
                atMost,
                deadLetterBytes);
    }

    /** The same with another limit of dead letters. */
    public SinkSettings deadLetters(long bytes) {
        return new SinkSettings(
                name,
                filter,
                from,
                rules,
                inputRules,
                extensions,
                batchRecords,
                batchBytes,
                retryAtLeast,
                retryAtMost,
                bytes);
    }

    /** True if a datagram may be several records. */
    boolean splitsLines() {
        return rules.splitLines() || inputRules.values().stream().anyMatch(InputRules::splitLines);
    }

    static void checkName(String name) {
        check(
                name.matches(NAME),
                "the name of an output",
                "'" + name + "'",
                "up to 64 letters, digits, dots, dashes and underscores, and no dot at the beginning");
    }

    private static void check(boolean good, String setting, Object got, String takes) {
        if (!good) {
            throw new IllegalArgumentException(setting + " takes " + takes + ", not " + got);
        }
    }
}
