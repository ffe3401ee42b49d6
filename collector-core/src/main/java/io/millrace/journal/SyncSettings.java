package io.millrace.journal;

import java.time.Duration;

/**
 * When the journal is written through to the disk, and so what survives what. The death of the process takes nothing at any
 * level: what was appended is in the memory of the kernel.
 *
 * @param level how
 * @param interval of {@link Level#INTERVAL}: the time between the beginnings of two syncs; else no time
 */
public record SyncSettings(Level level, Duration interval) {
    /** At the stop only. */
    public static final SyncSettings PAGE_CACHE = new SyncSettings(Level.PAGE_CACHE, Duration.ZERO);

    /** Before a batch counts as journaled. */
    public static final SyncSettings BATCH = new SyncSettings(Level.BATCH, Duration.ZERO);

    /** The shortest interval. */
    public static final Duration MIN_INTERVAL = Duration.ofMillis(1);

    /** How. */
    public enum Level {
        /** The kernel writes it when it likes, and the stop at last. */
        PAGE_CACHE,
        /** Again and again, on a thread of its own: appends do not wait for it. */
        INTERVAL,
        /** Before a batch counts as journaled: all that wait at a moment are synced together. */
        BATCH
    }

    /** Checks the interval; the message of the exception says what it takes. */
    public SyncSettings {
        if (level == Level.INTERVAL && interval.compareTo(MIN_INTERVAL) < 0) {
            throw new IllegalArgumentException("sync interval takes a millisecond or more, not " + interval);
        }
    }

    /** Each time so long after the beginning of the last. */
    public static SyncSettings interval(Duration time) {
        return new SyncSettings(Level.INTERVAL, time);
    }
}
