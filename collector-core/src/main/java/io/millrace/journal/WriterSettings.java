package io.millrace.journal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a journal writer: when a file rolls, and when it is synced.
 *
 * @param rollBytes bytes of batches in a file
 * @param blockBytes bytes Chronicle maps at a time; at least eight times a slab
 * @param rollAge how much later than its first datagram a file's last may have come; null for any time
 * @param sync when it is written through to the disk
 */
public record WriterSettings(
        long rollBytes, long blockBytes, @Nullable Duration rollAge, SyncSettings sync) {
    /** 1 GiB a file, mapped 16 MiB at a time, whatever time it takes; synced at the stop. */
    public static final WriterSettings DEFAULT = new WriterSettings(1L << 30, 16L << 20, null, SyncSettings.PAGE_CACHE);

    /** Files that roll at another size. */
    public WriterSettings withRollBytes(long bytes) {
        return new WriterSettings(bytes, blockBytes, rollAge, sync);
    }

    /** Files that roll at another age. */
    public WriterSettings withRollAge(@Nullable Duration age) {
        return new WriterSettings(rollBytes, blockBytes, age, sync);
    }

    /** Files that are synced otherwise. */
    public WriterSettings withSync(SyncSettings level) {
        return new WriterSettings(rollBytes, blockBytes, rollAge, level);
    }
}
