package io.millrace.internal.parse;

import io.millrace.message.SyslogMessage.Field;
import java.nio.charset.StandardCharsets;

/**
 * Parser of what relays put before a message.
 *
 * <pre>
 * Original Address=192.0.2.1 time host tag: text        Kiwi, when it forwards
 * time tab Local7.Info tab 192.0.2.1 tab text        Kiwi's files, after the time
 * Message forwarded from host: tag: text        AIX, after the time
 * </pre>
 */
final class RelayHeader {
    private static final byte[] ORIGINAL = "Original Address=".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FORWARDED = "Message forwarded from ".getBytes(StandardCharsets.US_ASCII);

    private RelayHeader() {}

    /** The position after {@code Original Address=192.0.2.1 }; the beginning if there is none. */
    static int originalEnd(byte[] b, int begin, int end) {
        if (!Ascii.startsWith(b, begin, end, ORIGINAL)) {
            return begin;
        }
        int from = begin + ORIGINAL.length;
        int to = wordEnd(b, from, end);
        return to > from && to < end ? Ascii.skipSpaces(b, to, end) : begin;
    }

    /** Sets the address as the host of a message that names none. */
    static void setOriginal(int begin, ParsedMessage message, int end) {
        if (!message.has(Field.HOSTNAME)) {
            int from = begin + ORIGINAL.length;
            message.set(Field.HOSTNAME, from, wordEnd(message.bytes, from, end));
        }
    }

    /** The position of the host after {@code Message forwarded from }, if a colon and a blank follow it; -1 if there is none. */
    static int forwardedHost(byte[] b, int begin, int end) {
        if (!Ascii.startsWith(b, begin, end, FORWARDED)) {
            return -1;
        }
        int host = begin + FORWARDED.length;
        int to = wordEnd(b, host, end);
        return to > host + 1 && to < end && b[to - 1] == ':' ? host : -1;
    }

    /**
     * Parses {@code Local7.Info tab host tab}, and sets facility, severity and host.
     *
     * @return the position of the text; -1, with no field set, if it is something else
     */
    static int kiwi(byte[] b, int begin, int end, ParsedMessage message) {
        int point = begin;
        while (point < end && Ascii.isLetterOrDigit(b[point])) {
            point++;
        }
        int tab = point + 1;
        while (tab < end && Ascii.isLetter(b[tab])) {
            tab++;
        }
        if (tab >= end || b[point] != '.' || b[tab] != '\t') {
            return -1;
        }
        int facility = Keywords.facility(b, begin, point);
        int severity = Keywords.severity(b, point + 1, tab);
        int host = tab + 1;
        int hostEnd = host;
        while (hostEnd < end && b[hostEnd] != '\t') {
            hostEnd++;
        }
        if (facility < 0 || severity < 0 || hostEnd == host || hostEnd >= end) {
            return -1;
        }
        message.priority = facility << 3 | severity;
        message.set(Field.HOSTNAME, host, hostEnd);
        return hostEnd + 1;
    }

    private static int wordEnd(byte[] b, int begin, int end) {
        int pos = begin;
        while (pos < end && b[pos] != ' ') {
            pos++;
        }
        return pos;
    }
}
