package io.millrace.app.config;

import io.millrace.setting.Entry;
import io.millrace.setting.Section;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A type of output, which the file names as {@code type: NAME}. A type in the list of {@link OutputTypes} is loaded,
 * checked, shown and documented.
 */
public interface OutputType {
    /** The value of {@code type}. */
    String name();

    /** The description in a sentence or two. */
    String help();

    /** The settings of the type: see {@link Section#of(Entry...)}. Those of all outputs are added: {@link OutputSettings}. */
    Section settings();

    /**
     * Creates an unopened sink for an output of this type.
     *
     * @param output has the values of {@link #settings()}
     * @param timeZone the zone of times in names
     * @throws IllegalArgumentException if the values contradict each other; the message has the reason
     */
    Sink sink(OutputConfig output, ZoneId timeZone);

    /** Reports settings that contradict each other, at their places. */
    default void check(OutputConfig output, List<Problem> problems) {}

    /** What is valid, and likely a mistake. */
    default List<String> warnings(OutputConfig output) {
        return List.of();
    }

    /**
     * Another collector, or a syslog server.
     *
     * @param host a name or an address
     * @param udp true for UDP, false for TCP
     */
    record Destination(String host, int port, boolean udp) {}

    /** Where an output sends what a collector understands; null if it does not. */
    default @Nullable Destination destination(OutputConfig output) {
        return null;
    }

    /** Reads the files that an output names, such as certificates; reports what is wrong with them. */
    default void checkFiles(OutputConfig output, FileProblems problems) {}

    /**
     * Tries to reach the destination of an output. It sends nothing that the destination would store, and creates nothing.
     *
     * @param limit the time limit
     * @return what answered, for people
     * @throws IOException if messages could not be delivered; the message says what failed
     */
    default String connect(OutputConfig output, Duration limit) throws IOException, InterruptedException {
        return "nothing can be tried";
    }

    /**
     * True if the format can be configured. The output then has the settings {@link OutputSettings#FORMAT} and {@link
     * OutputSettings#FIELDS}. False if the format is fixed.
     */
    default boolean takesFormat() {
        return true;
    }

    /** True if an output writes the bytes of messages, which changes of their fields do not affect. */
    default boolean writesBytes(OutputConfig output) {
        return takesFormat() && output.settings().get(OutputSettings.FORMAT).writesBytes();
    }

    /** The batch settings, with this type's defaults. */
    default BatchSettings batch() {
        return BatchSettings.LARGE;
    }

    /** The file that no other output may write to; null if there is none, or if it depends on messages. */
    default @Nullable Path ownFile(OutputConfig output) {
        return null;
    }

    /**
     * The file of the output, or the directory above all its files, as far as it is known without messages. Null if it
     * writes no files.
     */
    default @Nullable Path writesTo(OutputConfig output) {
        return ownFile(output);
    }
}
