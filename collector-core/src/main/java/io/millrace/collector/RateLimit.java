package io.millrace.collector;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;

/**
 * A rate limit: a token bucket that holds what may arrive in one second, and refills evenly. It has a limit of datagrams,
 * of bytes, or of both; 0 means none.
 *
 * @param datagrams datagrams per second, up to 100 million
 * @param bytes bytes of payload per second, as stored, up to 1 TiB. A datagram with more bytes than that passes if the bucket
 *     is full, which then takes longer to refill
 */
public record RateLimit(long datagrams, long bytes) {
    /** The limit in datagrams per second. */
    public static final Setting<Long> DATAGRAMS = Setting.optional(
            "datagrams", SettingTypes.RATE, "no limit", "Datagrams per second, which is also the burst.");

    /** The limit in bytes of payload per second. */
    public static final Setting<Long> BYTES = Setting.optional(
            "bytes",
            SettingTypes.longSize(1, 1L << 40),
            "no limit",
            "Bytes of payload per second, in multiples of 1,024, which is also the burst. A longer datagram"
                    + " passes if the source was idle, and is compensated later.");

    /** Checks the limits. */
    public RateLimit {
        if (datagrams != 0) {
            DATAGRAMS.check(datagrams);
        }
        if (bytes != 0) {
            BYTES.check(bytes);
        }
        if (datagrams == 0 && bytes == 0) {
            throw new IllegalArgumentException("a rate limit accepts datagrams, bytes, or both, not 0 and 0");
        }
    }

    @Override
    public String toString() {
        String ofDatagrams = datagrams == 0 ? "" : datagrams + " datagrams/s";
        String ofBytes = bytes == 0 ? "" : bytes + " bytes/s";
        return ofDatagrams + (datagrams == 0 || bytes == 0 ? "" : " and ") + ofBytes;
    }
}
