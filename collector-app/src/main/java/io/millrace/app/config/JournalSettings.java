package io.millrace.app.config;

import io.millrace.collector.CollectorBuilder;
import io.millrace.collector.RetentionSettings;
import io.millrace.collector.SyncSettings;
import io.millrace.collector.WriterSettings;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings of the journal: the section {@code journal}. */
public final class JournalSettings {
    /** When the journal rolls to the next file. */
    public static final Setting<Long> FILE_SIZE = Setting.withDefault(
            "fileSize",
            SettingTypes.longSize(16L << 20, 1L << 40),
            "1G",
            "The size at which the journal rolls to the next file. Retention deletes whole files: with a"
                    + " retention size, a file is at most a quarter of a receiver's part of it.");

    /** The sync level. */
    public static final Setting<SyncSettings> SYNC = Setting.withDefault(
            "sync",
            SettingTypes.parsed(
                    "LEVEL",
                    "page-cache, interval TIME such as interval 100ms, or batch",
                    JournalSettings::sync,
                    text -> text.matches("\\d+(ms|s|m)") ? "; did you mean interval " + text + "?" : ""),
            "page-cache",
            "When the journal is synced to the disk. page-cache: when the kernel decides; interval: at this"
                    + " interval, in the background; batch: before datagrams count as journaled. docs/concepts/durability.md"
                    + " describes what each level survives, and its cost.");

    /** The behaviour on a full disk. */
    public static final Setting<RetentionSettings.WhenFull> WHEN_FULL = Setting.withDefault(
            "whenFull",
            SettingTypes.oneOf(RetentionSettings.WhenFull.class),
            "block",
            "What happens on a full disk. block: receiving pauses until there is room, and the kernel drops what"
                    + " its buffers cannot hold; drop-oldest: the oldest files are deleted, even if outputs have not"
                    + " delivered them.");

    /** The maximum age. */
    public static final Setting<Duration> AGE = Setting.optional(
            "age",
            SettingTypes.DURATION,
            "any age",
            "A file is deleted when all its datagrams are older than this. Files then roll after an eighth of"
                    + " this age, or a minute if that is longer.");

    /** The maximum size. */
    public static final Setting<Long> SIZE = Setting.optional(
            "size",
            SettingTypes.longSize(64L << 20, Long.MAX_VALUE),
            "any size",
            "The oldest files are deleted while the journal is larger than this.");

    /** The minimum free space. */
    public static final Setting<Long> FREE_SPACE = Setting.optional(
            "freeSpace",
            SettingTypes.longSize(1L << 20, Long.MAX_VALUE),
            "no limit",
            "The oldest files are deleted, one per second, while the disk has less free space than this.");

    /** Whether unread datagrams may be deleted. */
    public static final Setting<RetentionSettings.Unread> UNREAD = Setting.withDefault(
            "unread",
            SettingTypes.oneOf(RetentionSettings.Unread.class),
            "keep",
            "What happens to a file that an output has not acknowledged. keep: it is kept until the output has;"
                    + " expire: it is deleted, and the output's losses count as `expiredUnread`.");

    private static final Section RETENTION = Section.of(
            "retention",
            "What retention deletes: whole files, the oldest first, and never the newest of a shard. Without"
                    + " `age`, `size` and `freeSpace` everything is kept.",
            AGE,
            SIZE,
            FREE_SPACE,
            UNREAD);

    /** The section. */
    public static final Section SECTION =
            Section.of("journal", "The journal: files, sync and retention.", FILE_SIZE, SYNC, WHEN_FULL, RETENTION);

    private JournalSettings() {}

    private static @Nullable SyncSettings sync(String text) {
        if (text.startsWith("interval ")) {
            Duration interval = SettingTypes.DURATION.parse(
                    text.substring("interval ".length()).strip());
            return SyncSettings.interval(interval);
        }
        return switch (text) {
            case "page-cache" -> SyncSettings.PAGE_CACHE;
            case "batch" -> SyncSettings.BATCH;
            default -> null;
        };
    }

    /**
     * Applies the settings to a builder.
     *
     * @throws ConfigException if the library rejects a setting
     */
    public static void apply(Bound journal, CollectorBuilder builder) {
        Bound retention = journal.get(RETENTION);
        Long size = retention.find(SIZE);
        Long free = retention.find(FREE_SPACE);
        builder.journalFiles(
                WriterSettings.DEFAULT.withRollBytes(journal.get(FILE_SIZE)).withSync(journal.get(SYNC)));
        try {
            builder.retention(new RetentionSettings(
                    retention.find(AGE),
                    size == null ? 0 : size,
                    free == null ? 0 : free,
                    retention.get(UNREAD),
                    journal.get(WHEN_FULL)));
        } catch (IllegalArgumentException e) {
            ConfigException placed =
                    new ConfigException(List.of(Problem.of(journal.mark(), SECTION.key(), ": " + e.getMessage())));
            placed.initCause(e);
            throw placed;
        }
    }
}
