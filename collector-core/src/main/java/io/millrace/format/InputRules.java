package io.millrace.format;

import java.time.ZoneId;

/**
 * How what comes in at an input is read.
 *
 * @param zone the time zone of time stamps that name none
 * @param splitLines true if each line of a datagram is a message of its own
 */
public record InputRules(ZoneId zone, boolean splitLines) {
    /** A datagram is a message, and times without a zone are in this host's. */
    public static final InputRules DEFAULT = new InputRules(ZoneId.systemDefault(), false);
}
