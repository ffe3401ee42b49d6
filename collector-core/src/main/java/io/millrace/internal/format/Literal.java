package io.millrace.internal.format;

import io.millrace.internal.charset.AsciiWord;
import io.millrace.message.LineBuffer;
import java.util.Arrays;

/**
 * ASCII text that is written often. It is copied two words at a time: for a short text that is faster than the JVM's copy, and most
 * take the same number of steps, so the CPU predicts the end.
 */
final class Literal {
    private static final int STEP = 2 * Long.BYTES;

    /** Padded to whole steps. */
    private final byte[] bytes;

    private final int length;

    Literal(String ascii) {
        byte[] text = LineBuffer.bytes(ascii);
        this.length = text.length;
        this.bytes = Arrays.copyOf(text, (length + STEP - 1) & -STEP);
    }

    void write(LineBuffer out) {
        int o = out.reserve(bytes.length);
        byte[] to = out.array();
        AsciiWord.store(to, o, AsciiWord.load(bytes, 0));
        AsciiWord.store(to, o + Long.BYTES, AsciiWord.load(bytes, Long.BYTES));
        if (bytes.length > STEP) {
            System.arraycopy(bytes, STEP, to, o + STEP, bytes.length - STEP);
        }
        out.end(o + length);
    }
}
