package io.millrace.collector;

/**
 * A rate limit: a token bucket that holds what may arrive in one second, and refills evenly. It has a limit of datagrams,
 * of bytes, or of both; 0 means none.
 *
 * @param datagrams datagrams per second, up to 100 million
 * @param bytes bytes of payload per second, as stored, up to 1 TiB. A datagram with more bytes than that passes if the bucket
 *     is full, which then takes longer to refill
 */
public record RateLimit(long datagrams, long bytes) {
    /** The maximum limit in datagrams per second. */
    public static final long MAX_DATAGRAMS = 100_000_000;

    /** The maximum limit in bytes per second. */
    public static final long MAX_BYTES = 1L << 40;

    /** Checks the limits. */
    public RateLimit {
        if (datagrams < 0 || datagrams > MAX_DATAGRAMS || bytes < 0 || bytes > MAX_BYTES || datagrams + bytes == 0) {
            throw new IllegalArgumentException(
                    "a rate limit takes up to " + MAX_DATAGRAMS + " datagrams per second, up to " + MAX_BYTES
                            + " bytes per second, or both, not " + datagrams + " and " + bytes);
        }
    }

    @Override
    public String toString() {
        String ofDatagrams = datagrams == 0 ? "" : datagrams + " datagrams/s";
        String ofBytes = bytes == 0 ? "" : bytes + " bytes/s";
        return ofDatagrams + (datagrams == 0 || bytes == 0 ? "" : " and ") + ofBytes;
    }
}
