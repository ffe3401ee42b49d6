package io.millrace.app.config;

import io.millrace.sources.SilenceLimit;

/** The settings of source tracking: the section {@code sources}. */
public final class SourcesSettings {
    /** Whether it is enabled. */
    public static final Setting<Boolean> WATCH = Setting.withDefault(
            "watch", ValueTypes.SWITCH, "on", "Track the top senders, silent sources, and sequence gaps.");

    /** When a source is silent. */
    public static final Setting<SilenceLimit> SILENT_AFTER = Setting.withDefault(
            "silentAfter",
            ValueTypes.parsed("TIMES or TIME", SilenceLimit.TAKES, SourcesSettings::limit),
            "3",
            "A source is reported as silent after this many times its longest silence so far, and at least a"
                    + " minute; or after this time.");

    /** The section. */
    public static final Section SECTION = Section.of("sources", "Source tracking.", WATCH, SILENT_AFTER);

    private SourcesSettings() {}

    private static SilenceLimit limit(String text) {
        try {
            return text.matches("\\d{1,9}")
                    ? SilenceLimit.times(Integer.parseInt(text))
                    : SilenceLimit.time(ValueTypes.DURATION.parse(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "takes " + SilenceLimit.TAKES + ", not '" + text + "'" + ValueTypes.durationMeant(text), e);
        }
    }
}
