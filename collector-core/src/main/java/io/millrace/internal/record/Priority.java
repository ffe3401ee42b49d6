package io.millrace.internal.record;

import java.nio.ByteBuffer;

/** The PRI part at the beginning of a syslog message, {@code <0>} to {@code <191>} (RFC 5424, section 6.2.1). */
public final class Priority {
    private static final int MAX_DIGITS = 3;
    private static final int MAX_VALUE = 191;
    private static final int SEVERITY_BITS = 7;

    private Priority() {}

    /**
     * The severity of a message, 0 (emergency) to 7 (debug); -1 if the message does not begin with a PRI part.
     *
     * @param memory the memory that holds the message
     * @param offset where it begins there
     * @param length its length, in bytes
     */
    public static int severity(ByteBuffer memory, int offset, int length) {
        if (length == 0 || memory.get(offset) != '<') {
            return -1;
        }
        int value = 0;
        for (int i = 1; i < length && i <= MAX_DIGITS + 1; i++) {
            int b = memory.get(offset + i);
            if (b == '>') {
                return i > 1 && value <= MAX_VALUE ? value & SEVERITY_BITS : -1;
            }
            if (b < '0' || b > '9') {
                return -1;
            }
            value = value * 10 + b - '0';
        }
        return -1;
    }
}
