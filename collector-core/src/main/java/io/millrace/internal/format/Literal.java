package io.millrace.internal.format;

import io.millrace.internal.charset.AsciiWord;
import io.millrace.message.LineBuffer;
import java.util.Arrays;

/**
 * ASCII text that is written often. Its first two words are copied as words, whatever its length: most texts are that short, and a
 * call of the JVM's copy, or a loop, takes longer.
 */
final class Literal {
    private static final int TWO_WORDS = 2 * Long.BYTES;

    /** Padded to a multiple of two words. */
    private final byte[] bytes;

    private final int length;

    Literal(String ascii) {
        byte[] text = LineBuffer.bytes(ascii);
        this.length = text.length;
        this.bytes = Arrays.copyOf(text, (length + TWO_WORDS - 1) & -TWO_WORDS);
    }

    void write(LineBuffer out) {
        int o = out.reserve(bytes.length);
        byte[] to = out.array();
        AsciiWord.store(to, o, AsciiWord.load(bytes, 0));
        AsciiWord.store(to, o + Long.BYTES, AsciiWord.load(bytes, Long.BYTES));
        if (bytes.length > TWO_WORDS) {
            System.arraycopy(bytes, TWO_WORDS, to, o + TWO_WORDS, bytes.length - TWO_WORDS);
        }
        out.end(o + length);
    }
}
