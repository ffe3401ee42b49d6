package io.millrace.app.config;

import io.millrace.collector.CollectorBuilder;
import io.millrace.journal.RetentionSettings;
import io.millrace.journal.SyncSettings;
import io.millrace.journal.WriterSettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the journal is kept: the section {@code journal}. */
public final class JournalSettings {
    /** When a file ends. */
    public static final Setting<Long> FILE_SIZE = Setting.withDefault(
            "fileSize",
            ValueTypes.longSize(16L << 20, 1L << 40),
            "1G",
            "A file with so many bytes ends, and the next begins. Only whole files are deleted: with a retention size a file"
                    + " is a quarter of a receiver's part of it at the most.");

    /** When it is on disk. */
    public static final Setting<SyncSettings> SYNC = Setting.withDefault(
            "sync",
            ValueTypes.parsed(
                    "LEVEL", "page-cache, interval TIME such as interval 100ms, or batch", JournalSettings::sync),
            "page-cache",
            "When what is journaled is written through to the disk. page-cache: when the kernel likes; interval: so often, while"
                    + " datagrams go on being journaled; batch: before they count as journaled. docs/durability.md says what each"
                    + " survives, and costs.");

    /** What happens when there is no room. */
    public static final Setting<RetentionSettings.WhenFull> WHEN_FULL = Setting.withDefault(
            "whenFull",
            ValueTypes.oneOf(RetentionSettings.WhenFull.class),
            "block",
            "What happens when the disk has no room. block: nothing is received until there is, and the kernel drops what its"
                    + " buffers do not hold; drop-oldest: the oldest files are deleted, whether outputs have them or not.");

    /** How old. */
    public static final Setting<Duration> AGE = Setting.optional(
            "age",
            ValueTypes.DURATION,
            "any age",
            "A file goes when all in it was received longer ago than this. Files then end after an eighth of it, or a minute if that is longer.");

    /** How much. */
    public static final Setting<Long> SIZE = Setting.optional(
            "size",
            ValueTypes.longSize(64L << 20, Long.MAX_VALUE),
            "any size",
            "The oldest files go while all together have more bytes than this.");

    /** How much should be free. */
    public static final Setting<Long> FREE_SPACE = Setting.optional(
            "freeSpace",
            ValueTypes.longSize(1L << 20, Long.MAX_VALUE),
            "no matter",
            "The oldest files go, one a second, while less than this is free on the disk.");

    /** What of the unread. */
    public static final Setting<RetentionSettings.Unread> UNREAD = Setting.withDefault(
            "unread",
            ValueTypes.oneOf(RetentionSettings.Unread.class),
            "keep",
            "What becomes of a file that an output has not acknowledged. keep: it stays until it has; expire: it goes, and"
                    + " what outputs lose is counted as `expiredUnread`.");

    private static final Section RETENTION = Section.of(
            "retention",
            "What of the journal is deleted. Whole files are, the oldest first, and never the newest of a shard. Without"
                    + " `age`, `size` and `freeSpace` everything is kept.",
            AGE,
            SIZE,
            FREE_SPACE,
            UNREAD);

    /** All of them. */
    public static final Section SECTION =
            Section.of("journal", "How the journal is kept.", FILE_SIZE, SYNC, WHEN_FULL, RETENTION);

    private JournalSettings() {}

    private static @Nullable SyncSettings sync(String text) {
        if (text.startsWith("interval ")) {
            Duration interval = ValueTypes.DURATION.parse(
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
     * Hands it all to a collector's builder.
     *
     * @throws ConfigException if the library does not take it
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
