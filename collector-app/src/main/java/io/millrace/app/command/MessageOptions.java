package io.millrace.app.command;

import io.millrace.message.Filter;
import io.millrace.message.TextCharset;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the commands that print messages: {@code read} and {@code parse}. */
final class MessageOptions {
    @Option(
            names = "--time-zone",
            paramLabel = "ZONE",
            converter = OptionTypes.Zone.class,
            description = "The zone of timestamps without one, such as UTC or Europe/Berlin (default: this host's).")
    ZoneId timeZone = ZoneId.systemDefault();

    @Option(
            names = "--charset",
            paramLabel = "CHARSET",
            converter = OptionTypes.Charset.class,
            description =
                    "The charset of the messages: auto (UTF-8 if it is valid, else windows-1252), latin-1, gbk, shift_jis, …"
                            + " (default: utf-8). --format raw has the bytes as they came.")
    TextCharset charset = TextCharset.UTF_8;

    @Option(
            names = "--where",
            paramLabel = "EXPR",
            converter = OptionTypes.Where.class,
            description =
                    "Print only messages for which this condition is true, such as 'severity <= err and message contains"
                            + " \"denied\"' (docs/concepts/parsing.md).")
    @Nullable
    Filter filter;

    @Option(
            names = "--fields",
            description =
                    "Add the values in the message body (key=value pairs, JSON, CEF, LEEF) to JSON, as the object fields.")
    boolean fields;

    @Option(
            names = {"-n", "--limit"},
            paramLabel = "N",
            description = "Print at most N messages.")
    private long limit = Long.MAX_VALUE;

    /** The value of {@code --limit}, or {@link Long#MAX_VALUE}. */
    long limit() {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit accepts a number from 1, not " + limit);
        }
        return limit;
    }
}
