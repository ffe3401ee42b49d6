package io.millrace.output;

import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.sink.SinkSettings;
import java.time.Duration;

/**
 * The section {@code batch} of an output, with the defaults of its type.
 *
 * @param bytes how many bytes make a batch
 * @param linger how long less than that may wait
 * @param section both
 */
public record BatchSettings(Setting<Integer> bytes, Setting<Duration> linger, Section section) {
    private static final String PROMPT_HELP =
            "Up to 1s, the first message after a pause of this length does not wait. Longer costs less CPU time under light load; 0ms"
                    + " sends at once.";

    /** For outputs that are read later: few and large batches. */
    public static final BatchSettings LARGE =
            of("1M", "A batch with so many bytes is sent at once.", "50ms", PROMPT_HELP);

    /** For outputs that somebody may be watching. */
    public static final BatchSettings PROMPT =
            of("1M", "A batch with so many bytes is sent at once.", "5ms", PROMPT_HELP);

    /** For outputs whose batches are objects: as large as a small heap allows, and less old than what alerts call lagging. */
    public static final BatchSettings OBJECTS = of(
            "16M",
            "A batch with so many bytes, before compression, is put at once. It is kept in memory: the output needs up to seven"
                    + " times as much of the heap.",
            "2m",
            "Longer makes fewer and larger objects.");

    private static BatchSettings of(String defaultBytes, String bytesHelp, String defaultLinger, String lingerHelp) {
        Setting<Integer> bytes = Setting.withDefault("bytes", SinkSettings.BATCH_BYTES.type(), defaultBytes, bytesHelp);
        Setting<Duration> linger = Setting.withDefault(
                "linger",
                SinkSettings.LINGER.type(),
                defaultLinger,
                "How long a message may wait for others before it is sent. " + lingerHelp);
        return new BatchSettings(
                bytes, linger, Section.of("batch", "When messages are sent: what is reached first.", bytes, linger));
    }
}
