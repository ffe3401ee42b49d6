package io.millrace.policy;

/**
 * How much may arrive per second. That much may also arrive at once; it is then refilled evenly. 0 is no limit
 * of the kind; one of the two there has to be.
 *
 * @param datagrams datagrams per second, up to 100 million
 * @param bytes bytes of payload per second, as stored, up to 1 TiB. A datagram of more than that passes when nothing has for
 *     a while, and is made up for
 */
public record RateLimit(long datagrams, long bytes) {
    /** The most datagrams per second. */
    public static final long MAX_DATAGRAMS = 100_000_000;

    /** The most bytes per second. */
    public static final long MAX_BYTES = 1L << 40;

    /** Checks the two. */
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
