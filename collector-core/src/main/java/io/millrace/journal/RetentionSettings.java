package io.millrace.journal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long the journal keeps what it has. Whole files are deleted, oldest first, and never the newest of a shard.
 *
 * @param age how old the youngest datagram of a file may become; null for any age
 * @param sizeBytes how many bytes all files together may have; 0 for any size
 * @param freeBytes how many bytes should be free on the disk; 0 for no matter
 * @param unread what becomes of files that an output has not acknowledged, when one of these is reached
 * @param whenFull what happens when there is no room to append
 */
public record RetentionSettings(
        @Nullable Duration age, long sizeBytes, long freeBytes, Unread unread, WhenFull whenFull) {
    /** Keeps everything. */
    public static final RetentionSettings KEEP_ALL = new RetentionSettings(null, 0, 0, Unread.KEEP, WhenFull.BLOCK);

    /** The shortest age. */
    public static final Duration MIN_AGE = Duration.ofSeconds(1);

    /** A file rolls when it spans this part of the age, so that what is kept too long is little. */
    private static final int FILES_IN_AGE = 8;

    private static final Duration MIN_ROLL_AGE = Duration.ofMinutes(1);

    /** What becomes of a file that an output has not acknowledged. */
    public enum Unread {
        /** It stays until the output has acknowledged it. */
        KEEP,
        /** It is deleted, and what is lost to outputs is counted. */
        EXPIRE
    }

    /** What happens when there is no room to append. */
    public enum WhenFull {
        /** Nothing is appended, and so nothing received, until there is room. */
        BLOCK,
        /** The oldest file is deleted, read or not, and what is lost to outputs is counted. */
        DROP_OLDEST
    }

    /** Checks them; the message of the exception names the first that is wrong and what it takes. */
    public RetentionSettings {
        if (age != null && age.compareTo(MIN_AGE) < 0) {
            throw new IllegalArgumentException("retention age takes a second or more, not " + age);
        }
        if (sizeBytes < 0 || freeBytes < 0) {
            throw new IllegalArgumentException("retention takes sizes from 0, not " + Math.min(sizeBytes, freeBytes));
        }
    }

    /** After which time a file ends that is not full; null if time does not matter. There are names for three million files. */
    public @Nullable Duration rollAge() {
        if (age == null) {
            return null;
        }
        Duration part = age.dividedBy(FILES_IN_AGE);
        return part.compareTo(MIN_ROLL_AGE) < 0 ? MIN_ROLL_AGE : part;
    }
}
