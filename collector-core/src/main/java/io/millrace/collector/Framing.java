package io.millrace.collector;

/** How messages are delimited in a stream of bytes (RFC 6587). */
public enum Framing {
    /**
     * By message: digits, a space and {@code <} are an octet count, if it is at most 200,000 and a message can begin after it; anything
     * else ends at a line feed or a byte 0.
     */
    AUTO,
    /** A count of bytes and a space before each message. */
    OCTET_COUNTING,
    /** Each message ends at a line feed; a carriage return before it is removed. */
    NEWLINE,
    /** Each message ends at a byte 0. */
    NUL
}
