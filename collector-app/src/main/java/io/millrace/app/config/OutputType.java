package io.millrace.app.config;

import io.millrace.deliver.Sink;
import java.nio.file.Path;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * A kind of output: what the file says as {@code type: NAME}. One that is put into the list of {@link OutputTypes} is
 * read, checked, shown and documented from then on.
 */
public interface OutputType {
    /** The value of {@code type}. */
    String name();

    /** What such an output does, in a sentence or two, for users. */
    String help();

    /**
     * The settings of its own: see {@link Section#ofOutput}. Those that all outputs have are added to them: {@link
     * OutputSettings}.
     */
    Section settings();

    /**
     * A sink for an output of this type, not open yet.
     *
     * @param output has the values of {@link #settings()}
     * @param timeZone the zone of times in names
     * @throws IllegalArgumentException if the values do not go together; the message says why
     */
    Sink sink(OutputConfig output, ZoneId timeZone);

    /**
     * True if users choose how a message is written: then the output has the settings {@link OutputSettings#FORMAT} and {@link
     * OutputSettings#EXTENSIONS}, and must heed them. False if its messages have a form of their own.
     */
    default boolean takesFormat() {
        return true;
    }

    /** The batch settings, with this type's defaults. */
    default BatchSettings batch() {
        return BatchSettings.LARGE;
    }

    /** The file that no other output may write to; null if that is no matter, or not known before there are messages. */
    default @Nullable Path ownFile(OutputConfig output) {
        return null;
    }

    /**
     * Where the output writes on this host, as far as that is known before there are messages: its file, or the directory that
     * all its files are in or below. Null if it writes no files.
     */
    default @Nullable Path writesTo(OutputConfig output) {
        return ownFile(output);
    }
}
