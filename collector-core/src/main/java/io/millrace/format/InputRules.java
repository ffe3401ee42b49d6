package io.millrace.format;

import java.time.ZoneId;

/**
 * How the datagrams of an input are parsed.
 *
 * @param zone the time zone of timestamps without one
 * @param splitLines true if each line of a datagram is a separate message
 */
public record InputRules(ZoneId zone, boolean splitLines) {
    /** One message per datagram, and times without a zone in the zone of this host. */
    public static final InputRules DEFAULT = new InputRules(ZoneId.systemDefault(), false);
}
