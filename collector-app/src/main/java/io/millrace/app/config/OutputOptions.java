package io.millrace.app.config;

import io.millrace.message.Edit;
import io.millrace.message.LineFormat;
import io.millrace.output.OutputType;
import io.millrace.output.internal.name.ForeignNames;
import io.millrace.setting.Entry;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.StartAt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The settings of all outputs. */
public final class OutputOptions {
    public static final Setting<Expression> WHERE = Setting.optional(
            "where",
            ConfigTypes.EXPRESSION,
            "all messages",
            "A filter such as `severity <= err and hostname == \"fw1\"`, or `filter(NAME)` for one of the section `filters`, see"
                    + " docs/concepts/parsing.md.");

    /** The outputs that come first. */
    public static final Setting<List<String>> OTHERWISE = Setting.optional(
            "otherwise",
            SettingTypes.TEXTS,
            "none",
            "Names of other outputs: this one gets only what the `where` of none of them matches. With a `where` of its own,"
                    + " both must hold.");

    public static final Section REPEAT = Section.of("repeat", "Repeated messages.", SinkSettings.REPEAT_WINDOW);

    public static final Setting<List<Edit>> EDIT = Setting.optional(
            "edit",
            ConfigTypes.EDITS,
            "none",
            "Edits of each message after `where` and before `format`, in their order, see docs/operate/editing.md. The journal keeps"
                    + " the message as it came.");

    /** Where a new output starts. */
    public static final Setting<StartAt> FROM = Setting.withDefault(
            "from",
            ConfigTypes.START,
            "begin",
            "Where a new output starts in the journal. A time without a zone is local time.");

    /** Where the output ends. */
    public static final Setting<Instant> TO = Setting.optional(
            "to",
            ConfigTypes.FIXED_TIME,
            "none: the output delivers what arrives",
            "The end of a replay, a time that has passed: the output delivers what was received before it, and is finished then. A"
                    + " time without a zone is local time.");

    /** Whether JSON includes the fields of the body. */
    public static final Setting<Boolean> FIELDS = Setting.withDefault(
            "fields",
            SettingTypes.SWITCH,
            "off",
            "Whether JSON includes the values in the message body (key=value pairs, JSON, CEF, LEEF) as the object `fields`; only with"
                    + " `format: json` or `ecs`.");

    private static final List<Entry> COMMON =
            List.of(WHERE, OTHERWISE, SinkSettings.SAMPLE, REPEAT, EDIT, FROM, TO, SinkSettings.DEAD_LETTER_SIZE);

    private OutputOptions() {}

    /** The settings of all outputs, in the order of the reference. */
    static List<Entry> of(OutputType type) {
        Setting<LineFormat> format = type.format();
        List<Entry> all = new ArrayList<>();
        if (format != null) {
            all.add(format);
            all.add(FIELDS);
        }
        all.addAll(COMMON);
        return all;
    }

    /** What to say of a name of another program in the format, where it is text; null if there is none. */
    public static @Nullable String formatWarning(OutputConfig output) {
        Setting<LineFormat> setting = output.type().format();
        return setting != null
                        && output.settings().given(setting) instanceof Tree.Scalar format
                        && format.text().contains("{")
                ? ForeignNames.warning(format.text())
                : null;
    }

    /**
     * The edits of an output.
     *
     * @throws IllegalArgumentException if one of them changes fields, and the output writes the bytes of messages
     */
    public static List<Edit> edits(OutputConfig output) {
        List<Edit> edits = output.settings().find(EDIT);
        if (edits == null) {
            return List.of();
        }
        if (edits.stream().anyMatch(Edit::isOfFields) && output.checked().writesBytes()) {
            throw new IllegalArgumentException(
                    "edit: set, rename and remove change fields, and this format writes the bytes of the message: use another one"
                            + " than raw and templates with {raw}, or only the edits redact and truncate");
        }
        return edits;
    }

    /**
     * The end of an output; null if it has none.
     *
     * @throws IllegalArgumentException if it has one, and its start is another one each time
     */
    public static @Nullable Instant to(OutputConfig output) {
        Instant to = output.settings().find(TO);
        if (to != null
                && output.settings().given(FROM) instanceof Tree.Scalar from
                && !from.text().equalsIgnoreCase("begin")
                && PointInTime.parseFixed(from.text()) == null) {
            throw new IllegalArgumentException("from: with 'to', it accepts begin or a time with its date, such as"
                    + " 2026-11-21T08:30:00Z, not '" + from.text() + "'");
        }
        return to;
    }

    /**
     * Checks the end of an output that people add now. A start does not: the clock of a host may be behind at its boot.
     *
     * @throws ConfigException if it has not passed
     */
    public static void checkHasPassed(OutputConfig output) {
        Instant to = output.settings().find(TO);
        if (to != null && to.isAfter(Instant.now())) {
            throw new ConfigException(List.of(Problem.of(
                    Objects.requireNonNullElse(output.settings().mark(TO), output.mark()),
                    FileProblems.path(output) + "." + TO.key(),
                    "accepts a time that has passed, not " + to)));
        }
    }

    /**
     * True if JSON includes the fields of the body as an object.
     *
     * @throws IllegalArgumentException if it is enabled and the output does not write JSON
     */
    public static boolean fields(OutputConfig output) {
        Setting<LineFormat> format = output.type().format();
        boolean on = format != null && output.settings().get(FIELDS);
        if (format != null && on && !output.settings().get(format).isJson()) {
            throw new IllegalArgumentException("fields accepts on only with format json or ecs");
        }
        return on;
    }
}
