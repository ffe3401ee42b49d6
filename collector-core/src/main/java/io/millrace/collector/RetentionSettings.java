package io.millrace.collector;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Retention settings of the journal. Retention deletes whole files, oldest first, and never the newest file of a shard.
 *
 * @param age the maximum age of the youngest datagram of a file; null for no limit
 * @param sizeBytes the maximum size of all files together; 0 for no limit
 * @param freeBytes the minimum free space on the disk; 0 for no limit
 * @param unread what to do with files that an output has not acknowledged, once a limit is reached
 * @param whenFull what to do if the disk is full
 */
public record RetentionSettings(
        @Nullable Duration age, long sizeBytes, long freeBytes, Unread unread, WhenFull whenFull) {
    /** Keeps everything. */
    public static final RetentionSettings KEEP_ALL = new RetentionSettings(null, 0, 0, Unread.KEEP, WhenFull.BLOCK);

    /** The maximum age. */
    public static final Setting<Duration> AGE = Setting.optional(
                    "age",
                    SettingTypes.duration(Duration.ofSeconds(1)),
                    "any age",
                    "A file is deleted when all its datagrams are older than this. Files then roll after an eighth of"
                            + " this age, or a minute if that is longer.")
            .named("retention age");

    /** The maximum size. */
    public static final Setting<Long> SIZE = Setting.optional(
                    "size",
                    SettingTypes.longSize(64L << 20, Long.MAX_VALUE),
                    "any size",
                    "The oldest files are deleted while the journal is larger than this.")
            .named("retention size");

    /** The minimum free space. */
    public static final Setting<Long> FREE_SPACE = Setting.optional(
                    "freeSpace",
                    SettingTypes.longSize(1L << 20, Long.MAX_VALUE),
                    "no limit",
                    "The oldest files are deleted, one per second, while the disk has less free space than this.")
            .named("retention freeSpace");

    /** Whether unread datagrams may be deleted. */
    public static final Setting<Unread> UNREAD = Setting.withDefault(
            "unread",
            SettingTypes.oneOf(Unread.class),
            "keep",
            "Files that an output has not acknowledged. keep: they are kept until it has;"
                    + " expire: they are deleted, and the output's losses count as `expiredUnread`.");

    /** The behaviour on a full disk. */
    public static final Setting<WhenFull> WHEN_FULL = Setting.withDefault(
            "whenFull",
            SettingTypes.oneOf(WhenFull.class),
            "block",
            "The behaviour on a full disk. block: receiving pauses until there is room, and the kernel drops the overflow"
                    + " of its buffers; drop-oldest: the oldest files are deleted, even if outputs have not"
                    + " delivered them.");

    /** A file rolls when it spans this fraction of the age, because a file is deleted as a whole. */
    private static final int FILES_IN_AGE = 8;

    private static final Duration MIN_ROLL_AGE = Duration.ofMinutes(1);

    /** What to do with a file that an output has not acknowledged. */
    public enum Unread {
        /** Keep it until the output has acknowledged it. */
        KEEP,
        /** Delete it, and count the datagrams that outputs lose. */
        EXPIRE
    }

    /** What to do if the disk is full. */
    public enum WhenFull {
        /** Stop appending, and therefore receiving, until there is free space. */
        BLOCK,
        /** Delete the oldest file, even if it is unread, and count the datagrams that outputs lose. */
        DROP_OLDEST
    }

    /** Checks the settings. */
    public RetentionSettings {
        if (age != null) {
            AGE.check(age);
        }
        checkSize(SIZE, sizeBytes);
        checkSize(FREE_SPACE, freeBytes);
    }

    /** The settings with the values of {@link #AGE}, {@link #SIZE}, {@link #FREE_SPACE}, {@link #UNREAD} and {@link #WHEN_FULL}. */
    public static RetentionSettings of(Settings values) {
        return new RetentionSettings(
                values.find(AGE),
                Objects.requireNonNullElse(values.find(SIZE), 0L),
                Objects.requireNonNullElse(values.find(FREE_SPACE), 0L),
                values.get(UNREAD),
                values.get(WHEN_FULL));
    }

    /** Files and journals of tests are smaller than what the setting accepts in a file. */
    private static void checkSize(Setting<Long> setting, long bytes) {
        if (bytes < 0) {
            throw new SettingException(setting, "accepts " + setting.type().takes() + ", or 0, not " + bytes);
        }
    }

    /**
     * The age at which a file rolls even if it is not full; null for no limit. There are names for three million files.
     */
    public @Nullable Duration rollAge() {
        if (age == null) {
            return null;
        }
        Duration part = age.dividedBy(FILES_IN_AGE);
        return part.compareTo(MIN_ROLL_AGE) < 0 ? MIN_ROLL_AGE : part;
    }
}
