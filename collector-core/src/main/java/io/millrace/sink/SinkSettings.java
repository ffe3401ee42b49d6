package io.millrace.sink;

import io.millrace.internal.reduce.Repeats;
import io.millrace.message.Edit;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How records are delivered to a sink. Immutable: each method that changes a setting returns a checked copy. */
public final class SinkSettings implements Cloneable {
    private static final long MIN_DEAD_LETTER_BYTES = 1 << 20;
    private static final int MAX_BATCH_BYTES = 256 << 20;
    private static final int MAX_SAMPLE = 1_000_000_000;
    private static final int MAX_BATCH_RECORDS = 1_000_000;
    private static final int BATCH_RECORDS = 10_000;
    private static final int SMALL_RECORD_BYTES = 100;
    private static final Duration MAX_LINGER = Duration.ofHours(1);
    private static final Duration MIN_WINDOW = Duration.ofSeconds(1);
    private static final Duration MAX_WINDOW = Duration.ofDays(1);
    private static final String NAME = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}";

    private final String name;
    private @Nullable Filter filter;
    private int sample = 1;
    private @Nullable Duration repeatWindow;
    private StartAt from = StartAt.BEGIN;
    private @Nullable Instant to;
    private InputRules rules = InputRules.DEFAULT;
    private Map<String, InputRules> inputRules = Map.of();
    private boolean fields;
    private List<Edit> edits = List.of();
    private int batchRecords = BATCH_RECORDS;
    private int batchBytes = 1 << 20;
    private Duration linger = Duration.ofMillis(50);
    private Duration minRetry = Duration.ofMillis(100);
    private Duration maxRetry = Duration.ofSeconds(10);
    private long deadLetterBytes = 256 << 20;

    private SinkSettings(String name) {
        checkName(name);
        this.name = name;
    }

    /**
     * The defaults: all records from the beginning of the journal, times without a zone in this host's zone, batches of 1 MiB or
     * 10,000 records or what arrived in 50 ms, retries after 100 ms to 10 s, and 256 MiB of dead letters.
     *
     * @param name the sink's name in metrics and messages, and the name of its file of positions: letters, digits, dots, dashes and
     *     underscores
     */
    public static SinkSettings of(String name) {
        return new SinkSettings(name);
    }

    /** Delivers only the records that the filter matches; null for all records. */
    public SinkSettings where(@Nullable Filter expression) {
        return with(copy -> copy.filter = expression);
    }

    /**
     * Delivers only about one of so many records that the filter matches; the others count as filtered. The identity of a record
     * decides, so that it is the same one after a retry or a restart, and for each sink.
     *
     * @param oneOf 1 to 1,000,000,000; 1 for all records
     */
    public SinkSettings sample(int oneOf) {
        return with(copy -> copy.sample = oneOf);
    }

    /**
     * Delivers a message that repeats the last one of its host only as part of a summary, {@code last message repeated N times};
     * repeats count as filtered. See {@link Repeats}. A stop delivers the summaries if the destination answers; a kill or a hot restart forgets
     * them.
     *
     * @param window how long after a message another one is its repeat, 1 s to 1 d; null for all messages as they are
     */
    public SinkSettings repeat(@Nullable Duration window) {
        return with(copy -> copy.repeatWindow = window);
    }

    /** Sets where a sink begins that has no positions yet. */
    public SinkSettings from(StartAt start) {
        return with(copy -> copy.from = start);
    }

    /**
     * Ends the delivery before the first datagram of each shard that was received at this time or later. The sink is finished then, and
     * stays idle.
     *
     * @param end usually a time that has passed: until then the sink waits; null to deliver what arrives
     */
    public SinkSettings to(@Nullable Instant end) {
        return with(copy -> copy.to = end);
    }

    /** Sets how messages are read: those of some inputs, by name, and those of all others. */
    public SinkSettings rules(InputRules ofOthers, Map<String, InputRules> ofInputs) {
        return with(copy -> {
            copy.rules = ofOthers;
            copy.inputRules = Map.copyOf(ofInputs);
        });
    }

    /** Sets whether JSON has the fields of the body as an object too. */
    public SinkSettings fields(boolean written) {
        return with(copy -> copy.fields = written);
    }

    /** Sets the edits of messages before they are encoded, in this order. The journal keeps the messages as they came. */
    public SinkSettings edit(List<? extends Edit> inOrder) {
        return with(copy -> copy.edits = List.copyOf(inOrder));
    }

    /**
     * Sets the size of batches: a batch is sent when it has so many records or bytes, or when {@link #linger} is over.
     *
     * @param records 1 to 1,000,000
     * @param bytes 1 KiB to 256 MiB
     */
    public SinkSettings batches(int records, int bytes) {
        return with(copy -> {
            copy.batchRecords = records;
            copy.batchBytes = bytes;
        });
    }

    /** The same with the number of records that so many bytes usually hold, at least 10,000. */
    public SinkSettings batches(int bytes) {
        return batches(Math.max(BATCH_RECORDS, bytes / SMALL_RECORD_BYTES), bytes);
    }

    /**
     * Sets how long the first record of a batch may wait for others: 0 to 1 h. With more than a second the output reads the journal every
     * second, and keeps a batch in memory until it is full or this old; the first batch after a start does not wait.
     */
    public SinkSettings linger(Duration longest) {
        return with(copy -> copy.linger = longest);
    }

    /** Sets the first and the longest time between two attempts. */
    public SinkSettings retry(Duration first, Duration longest) {
        return with(copy -> {
            copy.minRetry = first;
            copy.maxRetry = longest;
        });
    }

    /** Sets how many bytes of dead letters are kept; beyond that the oldest are deleted and counted. */
    public SinkSettings deadLetters(long bytes) {
        return with(copy -> copy.deadLetterBytes = bytes);
    }

    private SinkSettings with(Consumer<SinkSettings> change) {
        try {
            SinkSettings copy = (SinkSettings) clone();
            change.accept(copy);
            copy.check();
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** Checks every setting; the exception names the first that is wrong, and what it takes. */
    private void check() {
        check(sample >= 1 && sample <= MAX_SAMPLE, "sample", "1/" + sample, "1/1 to 1/" + MAX_SAMPLE);
        check(
                repeatWindow == null
                        || (repeatWindow.compareTo(MIN_WINDOW) >= 0 && repeatWindow.compareTo(MAX_WINDOW) <= 0),
                "repeat.window",
                repeatWindow == null ? "" : repeatWindow.toMillis() + " ms",
                "1 s to 1 d");
        check(to == null || from.isBefore(to), "to", to + ", with from " + from, "a time after from");
        check(
                batchRecords >= 1 && batchRecords <= MAX_BATCH_RECORDS,
                "batch.records",
                batchRecords,
                "1 to " + MAX_BATCH_RECORDS);
        check(
                batchBytes >= 1024 && batchBytes <= MAX_BATCH_BYTES,
                "batch.bytes",
                batchBytes,
                "1024 to " + MAX_BATCH_BYTES + " bytes");
        check(
                !linger.isNegative() && linger.compareTo(MAX_LINGER) <= 0,
                "batch.linger",
                linger.toMillis() + " ms",
                "0 s to 1 h");
        check(
                minRetry.toMillis() >= 1 && maxRetry.compareTo(minRetry) >= 0,
                "retry",
                minRetry.toMillis() + " to " + maxRetry.toMillis() + " ms",
                "a time of at least 1 ms, and a longer one");
        check(
                deadLetterBytes >= MIN_DEAD_LETTER_BYTES,
                "dead-letter-bytes",
                deadLetterBytes,
                "at least " + MIN_DEAD_LETTER_BYTES + " bytes");
    }

    /** The sink's name. */
    public String name() {
        return name;
    }

    /** The filter; null for all records. */
    public @Nullable Filter filter() {
        return filter;
    }

    /** N of a sample of one in N. */
    public int sample() {
        return sample;
    }

    /** How long after a message another one is its repeat; null if all are delivered as they are. */
    public @Nullable Duration repeatWindow() {
        return repeatWindow;
    }

    /** How messages of other inputs than {@link #inputRules()} are read. */
    public InputRules rules() {
        return rules;
    }

    /** How the messages of some inputs are read, by the name of the input. */
    public Map<String, InputRules> inputRules() {
        return inputRules;
    }

    /** True if JSON has the fields of the body as an object. */
    public boolean fields() {
        return fields;
    }

    /** The edits of messages, in their order. */
    public List<Edit> edits() {
        return edits;
    }

    /** Where a sink begins that has no positions yet. */
    public StartAt from() {
        return from;
    }

    /** The end of the delivery; null if it has none. */
    public @Nullable Instant to() {
        return to;
    }

    /** The number of records with which a batch is sent. */
    public int batchRecords() {
        return batchRecords;
    }

    /** The number of bytes with which a batch is sent. */
    public int batchBytes() {
        return batchBytes;
    }

    /** How long the first record of a batch may wait for others. */
    public Duration linger() {
        return linger;
    }

    /** The time before the first retry. */
    public Duration minRetry() {
        return minRetry;
    }

    /** The longest time between two attempts. */
    public Duration maxRetry() {
        return maxRetry;
    }

    /** How many bytes of dead letters are kept. */
    public long deadLetterBytes() {
        return deadLetterBytes;
    }

    static void checkName(String name) {
        check(
                name.matches(NAME),
                "the name of an output",
                "'" + name + "'",
                "up to 64 letters, digits, dots, dashes and underscores, and no dot at the beginning");
    }

    private static void check(boolean good, String setting, @Nullable Object got, String takes) {
        if (!good) {
            throw new IllegalArgumentException(setting + " takes " + takes + ", not " + got);
        }
    }
}
