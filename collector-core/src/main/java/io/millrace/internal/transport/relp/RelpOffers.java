package io.millrace.internal.transport.relp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The offers of a client in its command {@code open}: a line {@code NAME=VALUE[,VALUE…]} each. */
final class RelpOffers {
    /** The newest version that this server speaks. librelp calls the same protocol version 0. */
    static final int MAX_VERSION = 1;

    private static final String VERSION = "relp_version=";
    private static final int MAX_VERSION_DIGITS = 9;

    private RelpOffers() {}

    /** The version to speak with the client; -1 if it offers none. */
    static int version(ByteBuffer memory, int from, int length) {
        byte[] bytes = new byte[length];
        memory.get(from, bytes);
        for (String offer : new String(bytes, StandardCharsets.US_ASCII).split("\n", -1)) {
            if (offer.startsWith(VERSION)) {
                String value = offer.substring(VERSION.length()).trim();
                boolean isNumber = !value.isEmpty()
                        && value.length() <= MAX_VERSION_DIGITS
                        && value.chars().allMatch(c -> c >= '0' && c <= '9');
                return isNumber ? Math.min(MAX_VERSION, Integer.parseInt(value)) : -1;
            }
        }
        return -1;
    }
}
