package io.millrace.internal.transport.framing;

import java.nio.ByteBuffer;
import java.util.Locale;

/** Bytes of a peer as text for the log: printable ASCII, and all others as {@code \x0a}. */
final class ErrorBytes {
    /** How many bytes before and after an error are shown. */
    static final int MAX_BYTES = 24;

    private ErrorBytes() {}

    static String text(ByteBuffer memory, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            int b = memory.get(i) & 0xff;
            if (b >= ' ' && b < 0x7f && b != '\\') {
                text.append((char) b);
            } else {
                text.append(String.format(Locale.ROOT, "\\x%02x", b));
            }
        }
        return text.toString();
    }
}
