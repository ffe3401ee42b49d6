package io.millrace.collector;

import java.time.Duration;
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

    /** The shortest age. */
    public static final Duration MIN_AGE = Duration.ofSeconds(1);

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

    /** Validates the settings; the exception's message names the first wrong setting and its valid values. */
    public RetentionSettings {
        if (age != null && age.compareTo(MIN_AGE) < 0) {
            throw new IllegalArgumentException("retention age takes a second or more, not " + age);
        }
        if (sizeBytes < 0 || freeBytes < 0) {
            throw new IllegalArgumentException("retention takes sizes from 0, not " + Math.min(sizeBytes, freeBytes));
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
