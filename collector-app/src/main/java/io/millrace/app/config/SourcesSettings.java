package io.millrace.app.config;

import io.millrace.collector.CollectorSettings;

/** What is watched of the sources: the section {@code sources}. */
public final class SourcesSettings {
    /** Whether at all. */
    public static final Setting<Boolean> WATCH = Setting.withDefault(
            "watch",
            ValueTypes.SWITCH,
            "on",
            "Find out who sends most, who is silent, and which numbers are missing in what sources number.");

    /** When a source is silent. */
    public static final Setting<Integer> SILENT_AFTER = Setting.withDefault(
            "silentAfter",
            ValueTypes.integer(1, CollectorSettings.MAX_SILENT_AFTER),
            "3",
            "How many times its longest silence a source is silent, and a minute at least, before that is said.");

    /** All of them. */
    public static final Section SECTION =
            Section.of("sources", "What is watched of the sources of datagrams.", WATCH, SILENT_AFTER);

    private SourcesSettings() {}
}
