package io.millrace.message;

import io.millrace.internal.gelf.Expander;
import java.time.ZoneId;

/**
 * How the datagrams of an input are parsed.
 *
 * @param zone the time zone of timestamps without one
 * @param splitLines true if each line of a datagram is a separate message
 * @param maxExpandedBytes the longest message that a compressed payload may hold, 1 KiB to 1 MiB
 * @param charset the charset of the messages, which are converted to UTF-8
 */
public record InputRules(ZoneId zone, boolean splitLines, int maxExpandedBytes, TextCharset charset) {
    /** One message per datagram, and times without a zone in the zone of this host. */
    public static final InputRules DEFAULT = new InputRules(ZoneId.systemDefault(), false);

    /** The maximum of {@code maxExpandedBytes}. */
    public static final int MAX_EXPANDED_BYTES = Expander.MAX_BYTES;

    private static final int MIN_EXPANDED_BYTES = 1024;

    /** Checks the limit. */
    public InputRules {
        if (maxExpandedBytes < MIN_EXPANDED_BYTES || maxExpandedBytes > MAX_EXPANDED_BYTES) {
            throw new IllegalArgumentException("maxExpanded accepts " + MIN_EXPANDED_BYTES + " to " + MAX_EXPANDED_BYTES
                    + " bytes, not " + maxExpandedBytes);
        }
    }

    /** Rules of messages in UTF-8. */
    public InputRules(ZoneId zone, boolean splitLines, int maxExpandedBytes) {
        this(zone, splitLines, maxExpandedBytes, TextCharset.UTF_8);
    }

    /** Rules with the usual limit of expanded payloads. */
    public InputRules(ZoneId zone, boolean splitLines) {
        this(zone, splitLines, Expander.DEFAULT_BYTES);
    }
}
