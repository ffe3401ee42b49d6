package io.millrace.collector;

import java.time.Duration;

/**
 * Sync settings of the journal: when it is synced to disk. Appended data is in the page cache, so a crash of the
 * process loses nothing at any level; the level matters for a crash of the host.
 *
 * @param level the sync level
 * @param interval for {@link Level#INTERVAL}, the time from the start of a sync to the start of the next; otherwise
 *     zero
 */
public record SyncSettings(Level level, Duration interval) {
    /** Syncs only at the stop. */
    public static final SyncSettings PAGE_CACHE = new SyncSettings(Level.PAGE_CACHE, Duration.ZERO);

    /** Syncs before a batch counts as journaled. */
    public static final SyncSettings BATCH = new SyncSettings(Level.BATCH, Duration.ZERO);

    /** The shortest interval. */
    public static final Duration MIN_INTERVAL = Duration.ofMillis(1);

    /** The sync level. */
    public enum Level {
        /** The kernel decides when to write; the stop syncs. */
        PAGE_CACHE,
        /** Syncs periodically on a separate thread; appends do not wait for it. */
        INTERVAL,
        /** Syncs before a batch counts as journaled; one sync covers all waiting batches. */
        BATCH
    }

    /** Validates the interval; the exception's message says which values are valid. */
    public SyncSettings {
        if (level == Level.INTERVAL && interval.compareTo(MIN_INTERVAL) < 0) {
            throw new IllegalArgumentException("sync interval takes a millisecond or more, not " + interval);
        }
    }

    /** Syncs periodically. */
    public static SyncSettings interval(Duration time) {
        return new SyncSettings(Level.INTERVAL, time);
    }
}
