package io.millrace.collector;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingType;
import io.millrace.setting.SettingTypes;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Sync settings of the journal: when it is synced to disk. Appended data is in the page cache, so a crash of the
 * process loses nothing at any level; the level matters for a crash of the host and a loss of power.
 *
 * @param level the sync level
 * @param interval for {@link Level#INTERVAL}, the time from the start of a sync to the start of the next; otherwise
 *     zero
 */
public record SyncSettings(Level level, Duration interval) {
    // Before the constants below, which check their intervals.
    private static final SettingType<Duration> INTERVAL = SettingTypes.duration(Duration.ofMillis(1));
    private static final String INTERVAL_WORD = "interval ";

    /** Syncs each second in the background, and at once when a client of RELP waits for its answer. */
    public static final SyncSettings EACH_SECOND = new SyncSettings(Level.INTERVAL, Duration.ofSeconds(1));

    /** Syncs only at the stop. */
    public static final SyncSettings PAGE_CACHE = new SyncSettings(Level.PAGE_CACHE, Duration.ZERO);

    /** Syncs before a batch counts as journaled. */
    public static final SyncSettings BATCH = new SyncSettings(Level.BATCH, Duration.ZERO);

    /** The sync level. */
    public static final Setting<SyncSettings> SETTING = Setting.withDefault(
            "sync",
            SettingTypes.parsed(
                    "LEVEL",
                    "page-cache, interval TIME such as interval 100ms, or batch",
                    SyncSettings::parse,
                    SyncSettings::hint),
            "interval 1s",
            "When the journal is synced to the disk. interval: in the background, at this interval, and at once for messages of"
                    + " RELP, which are answered after it; batch: before datagrams count as journaled; page-cache: when the kernel"
                    + " decides. docs/concepts/durability.md describes what each level survives, and its cost.");

    /** The sync level. */
    public enum Level {
        /** The kernel decides when to write; the stop syncs. */
        PAGE_CACHE,
        /** Syncs on a separate thread, periodically and when a client of RELP waits; appends do not wait for it. */
        INTERVAL,
        /** Syncs before a batch counts as journaled; one sync covers all waiting batches. */
        BATCH
    }

    /** Validates the interval; the exception's message says which values are valid. */
    public SyncSettings {
        if (level == Level.INTERVAL) {
            try {
                INTERVAL.check(interval);
            } catch (IllegalArgumentException e) {
                throw new SettingException(SETTING, "interval " + e.getMessage(), e);
            }
        }
    }

    /** Syncs periodically. */
    public static SyncSettings interval(Duration time) {
        return new SyncSettings(Level.INTERVAL, time);
    }

    private static String hint(String text) {
        String meant = text.matches("\\d+(ms|s|m)")
                ? "interval " + text
                : switch (text.toLowerCase(Locale.ROOT)) {
                    case "interval", "second" -> "interval 1s";
                    case "batch", "always", "fsync" -> "batch";
                    case "page-cache", "none", "off", "never" -> "page-cache";
                    default -> "";
                };
        return meant.isEmpty() ? "" : "; did you mean " + meant + "?";
    }

    private static @Nullable SyncSettings parse(String text) {
        if (text.startsWith(INTERVAL_WORD)) {
            try {
                return interval(
                        INTERVAL.parse(text.substring(INTERVAL_WORD.length()).strip()));
            } catch (SettingException e) {
                throw e;
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("interval " + e.getMessage(), e);
            }
        }
        return switch (text) {
            case "page-cache" -> PAGE_CACHE;
            case "batch" -> BATCH;
            default -> null;
        };
    }
}
