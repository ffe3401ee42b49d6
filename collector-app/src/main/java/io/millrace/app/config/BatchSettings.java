package io.millrace.app.config;

import java.time.Duration;

/**
 * The section {@code batch} of an output.
 *
 * @param bytes how many bytes make a batch
 * @param linger how long less than that may wait
 * @param section both
 */
public record BatchSettings(Setting<Integer> bytes, Setting<Duration> linger, Section section) {
    /** For outputs that are read later: few and large batches. */
    static final BatchSettings LARGE = of("50ms");

    /** For outputs that somebody may be watching. */
    public static final BatchSettings PROMPT = of("5ms");

    private static BatchSettings of(String defaultLinger) {
        Setting<Integer> bytes = Setting.withDefault(
                "bytes", ValueTypes.size(1024, 256 << 20), "1M", "A batch with so many bytes is sent at once.");
        Setting<Duration> linger = Setting.withDefault(
                "linger",
                ValueTypes.DURATION,
                defaultLinger,
                "How long a message may wait for others before it is sent. Longer costs less CPU time under light load; 0ms sends"
                        + " at once.");
        return new BatchSettings(
                bytes, linger, Section.of("batch", "When messages are sent: what is reached first.", bytes, linger));
    }
}
