package io.millrace.app.config;

import io.millrace.collector.CollectorSettings;

/** The settings of source tracking: the section {@code sources}. */
public final class SourcesSettings {
    /** Whether it is enabled. */
    public static final Setting<Boolean> WATCH = Setting.withDefault(
            "watch", ValueTypes.SWITCH, "on", "Track the top senders, silent sources, and sequence gaps.");

    /** When a source is silent. */
    public static final Setting<Integer> SILENT_AFTER = Setting.withDefault(
            "silentAfter",
            ValueTypes.integer(1, CollectorSettings.MAX_SILENT_AFTER),
            "3",
            "A source is reported as silent after this many times its longest silence so far, and at least a"
                    + " minute.");

    /** The section. */
    public static final Section SECTION = Section.of("sources", "Source tracking.", WATCH, SILENT_AFTER);

    private SourcesSettings() {}
}
