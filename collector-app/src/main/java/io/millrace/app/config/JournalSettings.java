package io.millrace.app.config;

import io.millrace.collector.CollectorBuilder;
import io.millrace.collector.RetentionSettings;
import io.millrace.collector.SyncSettings;
import io.millrace.collector.WriterSettings;
import io.millrace.setting.Section;
import io.millrace.setting.Settings;

/** The settings of the journal: the section {@code journal}. */
public final class JournalSettings {
    public static final Section SECTION = Section.of(
            "journal",
            "The journal: files, sync and retention.",
            WriterSettings.FILE_SIZE,
            SyncSettings.SETTING,
            RetentionSettings.WHEN_FULL,
            Section.of(
                    "retention",
                    "Deletion of whole files, the oldest first, and never the newest of a shard. Without"
                            + " `age`, `size` and `freeSpace` everything is kept.",
                    RetentionSettings.AGE,
                    RetentionSettings.SIZE,
                    RetentionSettings.FREE_SPACE,
                    RetentionSettings.UNREAD));

    private JournalSettings() {}

    /** Applies the settings to a builder. */
    public static void apply(Settings journal, CollectorBuilder builder) {
        builder.journalFiles(WriterSettings.DEFAULT
                        .withRollBytes(journal.get(WriterSettings.FILE_SIZE))
                        .withSync(journal.get(SyncSettings.SETTING)))
                .retention(RetentionSettings.of(journal));
    }
}
