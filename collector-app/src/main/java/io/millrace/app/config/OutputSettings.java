package io.millrace.app.config;

import io.millrace.deliver.StartAt;
import io.millrace.filter.Filter;
import io.millrace.format.LineFormat;
import java.util.List;

/** The settings all outputs have. */
public final class OutputSettings {
    /** How messages are written. */
    public static final Setting<LineFormat> FORMAT = Setting.withDefault(
            "format", ValueTypes.FORMAT, "json", "How a message is written; docs/parsing.md tells more.");

    /** Which messages. */
    public static final Setting<Filter> WHERE = Setting.optional(
            "where",
            ValueTypes.FILTER,
            "all messages",
            "Only messages of which this is true, such as `severity <= err and hostname == \"fw1\"`; docs/parsing.md tells"
                    + " more.");

    /** Where to begin. */
    public static final Setting<StartAt> FROM = Setting.withDefault(
            "from",
            ValueTypes.START,
            "begin",
            "Where in the journal an output begins when it is new. A time that names no zone is local time.");

    static final List<Setting<?>> COMMON = List.of(FORMAT, WHERE, FROM);

    private OutputSettings() {}
}
