package io.millrace.collector;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a journal writer: when a file rolls, and when it is synced.
 *
 * @param rollBytes the maximum bytes of batches in a file
 * @param blockBytes the bytes that Chronicle maps at a time; at least eight times the size of a slab
 * @param rollAge the maximum time between the first and the last datagram of a file; null for no limit
 * @param sync when a file is synced to disk
 */
public record WriterSettings(
        long rollBytes, long blockBytes, @Nullable Duration rollAge, SyncSettings sync) {
    /** When the journal rolls to the next file. */
    public static final Setting<Long> FILE_SIZE = Setting.withDefault(
                    "fileSize",
                    SettingTypes.longSize(16L << 20, 1L << 40),
                    "1G",
                    "The size at which the journal rolls to the next file. Retention deletes whole files: with a"
                            + " retention size, a file is at most a quarter of a receiver's part of it.")
            .named("journalFiles");

    /** Files of 1 GiB without an age limit, mapped 16 MiB at a time, synced each second. */
    public static final WriterSettings DEFAULT = new WriterSettings(
            Objects.requireNonNull(FILE_SIZE.defaultValue()), 16L << 20, null, SyncSettings.EACH_SECOND);

    /** A copy with another roll size. */
    public WriterSettings withRollBytes(long bytes) {
        return new WriterSettings(bytes, blockBytes, rollAge, sync);
    }

    /** A copy with another roll age. */
    public WriterSettings withRollAge(@Nullable Duration age) {
        return new WriterSettings(rollBytes, blockBytes, age, sync);
    }

    /** A copy with another sync level. */
    public WriterSettings withSync(SyncSettings level) {
        return new WriterSettings(rollBytes, blockBytes, rollAge, level);
    }
}
