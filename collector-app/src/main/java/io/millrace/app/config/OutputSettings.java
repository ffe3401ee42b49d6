package io.millrace.app.config;

import io.millrace.deliver.StartAt;
import io.millrace.filter.Filter;
import io.millrace.format.JsonFormat;
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

    /** What JSON has besides. */
    public static final Setting<Boolean> EXTENSIONS = Setting.withDefault(
            "extensions",
            ValueTypes.SWITCH,
            "off",
            "Whether JSON has the keys and values of CEF and LEEF as the object `extension` too; only with `format: json`.");

    /** How much is kept of what the output refuses. */
    public static final Setting<Long> DEAD_LETTER_SIZE = Setting.withDefault(
            "deadLetterSize",
            ValueTypes.longSize(1 << 20, Long.MAX_VALUE),
            "256M",
            "How much disk the dead letters of the output may take; then the oldest are deleted, and counted.");

    static final List<Setting<?>> COMMON = List.of(FORMAT, EXTENSIONS, WHERE, FROM, DEAD_LETTER_SIZE);

    /** For outputs that write messages in forms of their own. */
    static final List<Setting<?>> WITHOUT_FORMAT = List.of(WHERE, FROM, DEAD_LETTER_SIZE);

    private OutputSettings() {}

    /**
     * Whether JSON has the extension of CEF and LEEF as an object.
     *
     * @throws IllegalArgumentException if it was asked for and the output does not write JSON
     */
    public static boolean extensions(OutputConfig output) {
        Bound settings = output.settings();
        boolean on = settings.section().entries().contains(EXTENSIONS) && settings.get(EXTENSIONS);
        if (on && !(settings.get(FORMAT) instanceof JsonFormat)) {
            throw new IllegalArgumentException("extensions takes on only with format json");
        }
        return on;
    }
}
