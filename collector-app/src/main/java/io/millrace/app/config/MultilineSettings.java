package io.millrace.app.config;

import io.millrace.collector.Multiline;
import io.millrace.collector.StreamSettings;
import io.millrace.collector.StreamSettings.Framing;
import io.millrace.internal.filter.Regex;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The section {@code multiline} of an input. */
final class MultilineSettings {
    static final Setting<String> STARTS_WITH = Setting.optional(
            "startsWith",
            SettingTypes.parsed("RE2", "a regular expression in RE2 syntax", MultilineSettings::expression),
            "each line is a message",
            "The beginning of the first line of a message, such as `<\\d+>`, a regular expression in RE2 syntax. Any other line belongs to"
                    + " the message before it, joined by a line feed.");

    static final Section SECTION = Section.of(
            "multiline",
            "Messages of several lines (TCP, TLS and Unix streams), with the framing newline or auto; there are no octet counts then.",
            STARTS_WITH,
            Multiline.TIMEOUT);

    private MultilineSettings() {}

    private static String expression(String text) {
        var unused = Regex.startsWith(text);
        return text;
    }

    /** The settings of an input; null if each line is a message. */
    static @Nullable Multiline of(Bound multiline) {
        String expression = multiline.find(STARTS_WITH);
        return expression == null
                ? null
                : new Multiline(expression, Regex.startsWith(expression)::test, multiline.get(Multiline.TIMEOUT));
    }

    /** Reports what does not go together. */
    static void check(String key, Bound input, boolean takesLines, String where, List<Problem> problems) {
        Bound multiline = input.get(SECTION);
        Mark startsWith = multiline.mark(STARTS_WITH);
        Mark timeout = multiline.mark(Multiline.TIMEOUT);
        if (startsWith == null) {
            if (timeout != null && !multiline.isDefault(Multiline.TIMEOUT)) {
                problems.add(
                        Problem.of(timeout, key + "." + Multiline.TIMEOUT.key(), "takes effect with startsWith only"));
            }
            return;
        }
        Framing framing = input.get(StreamSettings.FRAMING);
        if (!takesLines) {
            problems.add(Problem.of(
                    startsWith,
                    key,
                    "takes effect with tcp://, tls:// and unix:// only, and this input listens on " + where));
        } else if (framing == Framing.OCTET_COUNTING || framing == Framing.NUL) {
            problems.add(Problem.of(startsWith, key, "joins lines, so framing accepts newline or auto here"));
        } else if (input.get(Config.SPLIT_LINES)) {
            problems.add(Problem.of(startsWith, key, "joins lines, and splitLines takes them apart again"));
        }
    }
}
