package io.millrace.internal.charset;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Converter of text to UTF-8, into memory that it reuses. A charset with one byte per character is a table of 256; others are decoded by
 * the JVM. What is invalid becomes U+FFFD. One thread.
 */
public final class Utf8Converter {
    private static final int BYTES = 256;
    private static final int MAX_UTF8_PER_CHAR = 3;
    private static final char INVALID = '\ufffd';

    private final boolean keepsUtf8;
    private final boolean containsAscii;
    private final char @Nullable [] table;
    private final @Nullable CharsetDecoder decoder;

    private ByteBuffer in = ByteBuffer.allocate(0);
    private CharBuffer chars = CharBuffer.allocate(0);
    private byte[] out = new byte[2048];
    private int length;

    private Utf8Converter(boolean keepsUtf8, char @Nullable [] table, Charset charset) {
        this.keepsUtf8 = keepsUtf8;
        this.table = table;
        this.containsAscii = containsAscii(charset);
        this.decoder = table != null
                ? null
                : charset.newDecoder()
                        .onMalformedInput(CodingErrorAction.REPLACE)
                        .onUnmappableCharacter(CodingErrorAction.REPLACE);
    }

    public static Utf8Converter of(Charset charset) {
        boolean single = charset.canEncode() && charset.newEncoder().maxBytesPerChar() == 1;
        return new Utf8Converter(false, single ? table(charset) : null, charset);
    }

    /** A converter that leaves UTF-8 as it is. Bytes that windows-1252 does not define are those of Latin-1. */
    public static Utf8Converter auto() {
        Charset charset = Charset.forName("windows-1252");
        char[] table = table(charset);
        for (int i = 0; i < BYTES; i++) {
            table[i] = table[i] == INVALID ? (char) i : table[i];
        }
        return new Utf8Converter(true, table, charset);
    }

    private static char[] table(Charset charset) {
        char[] table = new char[BYTES];
        for (int i = 0; i < BYTES; i++) {
            String text = new String(new byte[] {(byte) i}, charset);
            table[i] = text.length() == 1 ? text.charAt(0) : INVALID;
        }
        return table;
    }

    /** True if each byte below 0x80 is that character. Charsets with escape sequences have other meanings for some. */
    private static boolean containsAscii(Charset charset) {
        for (int i = 0; i < 0x80; i++) {
            if (!new String(new byte[] {(byte) i}, charset).equals(String.valueOf((char) i))) {
                return false;
            }
        }
        return true;
    }

    /** Converts a text to {@link #bytes()}; returns false, without doing so, if it is UTF-8 as it is. */
    public boolean convert(byte[] b, int begin, int end) {
        if ((containsAscii && AsciiWord.isAscii(b, begin, end)) || (keepsUtf8 && isUtf8(b, begin, end))) {
            return false;
        }
        length = 0;
        if (table != null) {
            room(MAX_UTF8_PER_CHAR * (end - begin));
            for (int i = begin; i < end; i++) {
                put(table[b[i] & 0xff]);
            }
        } else if (decoder != null) {
            decode(decoder, b, begin, end);
        }
        return true;
    }

    /** True for valid UTF-8. Its last character may be incomplete: a datagram may have been truncated. */
    private static boolean isUtf8(byte[] b, int begin, int end) {
        boolean found = false;
        int i = begin;
        while (i < end) {
            int sequence = b[i] >= 0 ? 1 : Utf8.sequence(b, i, end);
            if (sequence < 0) {
                boolean incomplete = i - sequence == end && (b[i] & 0xff) >= 0xc2;
                return found && incomplete;
            }
            found |= sequence > 1;
            i += sequence;
        }
        return true;
    }

    private void decode(CharsetDecoder from, byte[] b, int begin, int end) {
        int count = end - begin;
        if (in.capacity() < count) {
            in = ByteBuffer.allocate(2 * count);
        }
        int most = (int) Math.ceil((double) count * from.maxCharsPerByte()) + 2;
        if (chars.capacity() < most) {
            chars = CharBuffer.allocate(2 * most);
        }
        in.clear().put(b, begin, count).flip();
        chars.clear();
        from.reset();
        var unused = from.decode(in, chars, true);
        unused = from.flush(chars);
        chars.flip();
        room(MAX_UTF8_PER_CHAR * chars.remaining());
        while (chars.hasRemaining()) {
            char c = chars.get();
            boolean pair = Character.isHighSurrogate(c)
                    && chars.hasRemaining()
                    && Character.isLowSurrogate(chars.get(chars.position()));
            if (pair) {
                putPair(Character.toCodePoint(c, chars.get()));
            } else {
                put(Character.isSurrogate(c) ? INVALID : c);
            }
        }
    }

    private void room(int bytes) {
        if (out.length < bytes) {
            out = Arrays.copyOf(out, 2 * bytes);
        }
    }

    private void put(char c) {
        if (c < 0x80) {
            out[length++] = (byte) c;
        } else if (c < 0x800) {
            out[length++] = (byte) (0xc0 | c >> 6);
            out[length++] = (byte) (0x80 | (c & 0x3f));
        } else {
            out[length++] = (byte) (0xe0 | c >> 12);
            out[length++] = (byte) (0x80 | (c >> 6 & 0x3f));
            out[length++] = (byte) (0x80 | (c & 0x3f));
        }
    }

    private void putPair(int point) {
        out[length++] = (byte) (0xf0 | point >> 18);
        out[length++] = (byte) (0x80 | (point >> 12 & 0x3f));
        out[length++] = (byte) (0x80 | (point >> 6 & 0x3f));
        out[length++] = (byte) (0x80 | (point & 0x3f));
    }

    /** The array of the converted text, which begins at 0; not a copy. */
    public byte[] bytes() {
        return out;
    }

    /** The length of the converted text in bytes. */
    public int length() {
        return length;
    }
}
