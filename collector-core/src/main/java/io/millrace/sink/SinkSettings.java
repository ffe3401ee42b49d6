package io.millrace.sink;

import io.millrace.internal.reduce.Repeats;
import io.millrace.message.Edit;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How records are delivered to a sink. Immutable: each method that changes a setting returns a checked copy. */
public final class SinkSettings implements Cloneable {
    private static final int SMALL_RECORD_BYTES = 100;
    private static final String NAME = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}";

    /** One of so many records that the filter matches is delivered. Its identity decides, so that it is the same one after a retry or a restart, and for each sink. */
    public static final Setting<Integer> SAMPLE = Setting.withDefault(
            "sample",
            SettingTypes.oneOfN(1_000_000_000),
            "1/1",
            "Takes about one of N of the messages that `where` matches; the others count as filtered. A message is chosen by"
                    + " its shard and sequence, so the choice is the same after a retry or a restart.");

    /** How long after a message another one is its repeat; without a value all messages are delivered as they are. See {@link Repeats}. */
    public static final Setting<Duration> REPEAT_WINDOW = Setting.optional(
                    "window",
                    SettingTypes.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
                    "each message is delivered",
                    "How long after a message the same ones of its host are left out: they count as filtered, and one message"
                            + " `last message repeated N times` follows. See docs/operate/delivery.md.")
            .named("repeat");

    /** The bytes of a batch that is sent at once. */
    public static final Setting<Integer> BATCH_BYTES = Setting.withDefault(
                    "bytes", SettingTypes.size(1024, 256 << 20), "1M", "A batch with so many bytes is sent at once.")
            .named("batches");

    /** The records of a batch that is sent at once. */
    public static final Setting<Integer> BATCH_RECORDS = Setting.withDefault(
                    "records",
                    SettingTypes.integer(1, 1_000_000),
                    "10000",
                    "A batch with so many records is sent at once.")
            .named("batches");

    /**
     * How long a record may wait for others. Up to a second, the output sends at most one batch per such time unless batches are full:
     * the first record after a pause does not wait. With more than a second the output reads the journal every second, and keeps a
     * batch in memory until it is full or this old; the first batch after a start does not wait.
     */
    public static final Setting<Duration> LINGER = Setting.withDefault(
            "linger",
            SettingTypes.duration(Duration.ZERO, Duration.ofHours(1)),
            "50ms",
            "How long a message may wait for others before it is sent.");

    /** The time between the first two attempts. */
    public static final Setting<Duration> MIN_RETRY = Setting.withDefault(
                    "minRetry",
                    SettingTypes.duration(Duration.ofMillis(1)),
                    "100ms",
                    "The first time between two attempts.")
            .named("retry");

    /** The longest time between two attempts. */
    public static final Setting<Duration> MAX_RETRY = Setting.withDefault(
                    "maxRetry",
                    SettingTypes.duration(Duration.ofMillis(1)),
                    "10s",
                    "The longest time between two attempts.")
            .named("retry");

    /** The bytes of dead letters that are kept. */
    public static final Setting<Long> DEAD_LETTER_SIZE = Setting.withDefault(
                    "deadLetterSize",
                    SettingTypes.longSize(1 << 20, Long.MAX_VALUE),
                    "256M",
                    "How much disk the dead letters of the output may take; then the oldest are deleted, and counted.")
            .named("deadLetters");

    private final String name;
    private @Nullable Filter filter;
    private StartAt from = StartAt.BEGIN;
    private @Nullable Instant to;
    private InputRules rules = InputRules.DEFAULT;
    private Map<String, InputRules> inputRules = Map.of();
    private boolean fields;
    private List<Edit> edits = List.of();
    private Settings values = Settings.DEFAULTS;

    private SinkSettings(String name) {
        checkName(name);
        this.name = name;
    }

    /**
     * The defaults: all records from the beginning of the journal, times without a zone in this host's zone, and those of the constants.
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

    /** Sets {@link #SAMPLE}; 1 for all records. The others count as filtered. */
    public SinkSettings sample(int oneOf) {
        return with(SAMPLE, oneOf);
    }

    /**
     * Delivers a message that repeats the last one of its host only as part of a summary, {@code last message repeated N times};
     * repeats count as filtered. A stop delivers the summaries if the destination answers; a kill or a hot restart forgets them.
     *
     * @param window {@link #REPEAT_WINDOW}
     */
    public SinkSettings repeat(Duration window) {
        return with(REPEAT_WINDOW, window);
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
     * @param records {@link #BATCH_RECORDS}
     * @param bytes {@link #BATCH_BYTES}
     */
    public SinkSettings batches(int records, int bytes) {
        return with(BATCH_RECORDS, records).with(BATCH_BYTES, bytes);
    }

    /** The same with the number of records that so many bytes usually hold, at least 10,000. */
    public SinkSettings batches(int bytes) {
        return batches(Math.max(Settings.DEFAULTS.get(BATCH_RECORDS), bytes / SMALL_RECORD_BYTES), bytes);
    }

    /** Sets {@link #LINGER}. */
    public SinkSettings linger(Duration longest) {
        return with(LINGER, longest);
    }

    /** Sets {@link #MIN_RETRY} and {@link #MAX_RETRY}. */
    public SinkSettings retry(Duration first, Duration longest) {
        return with(copy -> copy.values = copy.values.with(MIN_RETRY, first).with(MAX_RETRY, longest));
    }

    /** Sets {@link #DEAD_LETTER_SIZE}; beyond that the oldest are deleted and counted. */
    public SinkSettings deadLetters(long bytes) {
        return with(DEAD_LETTER_SIZE, bytes);
    }

    /** Sets constants of this class, such as the values of a file. */
    public SinkSettings settings(Settings given) {
        return with(copy -> copy.values = copy.values.with(given));
    }

    private <T> SinkSettings with(Setting<T> setting, T value) {
        return with(copy -> copy.values = copy.values.with(setting, value));
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

    /** Checks whether the settings can be combined. */
    private void check() {
        check(to == null || from.isBefore(to), "to", to + ", with from " + from, "a time after from");
        if (maxRetry().compareTo(minRetry()) < 0) {
            throw new SettingException(MAX_RETRY, "accepts a time of at least minRetry, not " + maxRetry());
        }
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
        return values.get(SAMPLE);
    }

    /** How long after a message another one is its repeat; null if all are delivered as they are. */
    public @Nullable Duration repeatWindow() {
        return values.find(REPEAT_WINDOW);
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
        return values.get(BATCH_RECORDS);
    }

    /** The number of bytes with which a batch is sent. */
    public int batchBytes() {
        return values.get(BATCH_BYTES);
    }

    /** How long a record may wait for others. */
    public Duration linger() {
        return values.get(LINGER);
    }

    /** The time before the first retry. */
    public Duration minRetry() {
        return values.get(MIN_RETRY);
    }

    /** The longest time between two attempts. */
    public Duration maxRetry() {
        return values.get(MAX_RETRY);
    }

    /** How many bytes of dead letters are kept. */
    public long deadLetterBytes() {
        return values.get(DEAD_LETTER_SIZE);
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
            throw new IllegalArgumentException(setting + " accepts " + takes + ", not " + got);
        }
    }
}
