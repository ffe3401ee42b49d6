package io.millrace.internal.journal.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;

/** The binary format of Chronicle's own data: length words, and documents with a name, padding, and 64-bit numbers. */
public final class ChronicleBytes {
    public static final int WORD_BYTES = 4;
    public static final int END_OF_DATA = 0xc000_0000;

    private static final int UNFINISHED = 0x8000_0000;
    private static final int METADATA = 0x4000_0000;
    private static final int LENGTH = 0x3fff_ffff;
    private static final int NAME = 0xb9;
    private static final int PAD = 0x8f;
    private static final int PAD_MANY = 0x8e;
    private static final int NUMBER = 0xa7;
    private static final int NUMBERS = 0x8d;

    private ChronicleBytes() {}

    /** True if a length word belongs to a complete excerpt. */
    public static boolean isComplete(int word) {
        return word > 0;
    }

    /** True if a length word belongs to an excerpt that is still being written. */
    public static boolean isUnfinished(int word) {
        return (word & UNFINISHED) != 0;
    }

    public static boolean isMetadata(int word) {
        return (word & METADATA) != 0;
    }

    public static int length(int word) {
        return word & LENGTH;
    }

    /** The position of the next length word after an excerpt that ends here. */
    public static long next(long end) {
        return (end + WORD_BYTES - 1) & -WORD_BYTES;
    }

    /** The name at the beginning of a document; empty if there is none. */
    static String name(ByteBuffer document) {
        int length = document.limit() < 2 || (document.get(0) & 0xff) != NAME ? 0 : document.get(1) & 0xff;
        return length + 2 > document.limit() ? "" : new String(copy(document, 2, length), ISO_8859_1);
    }

    private static byte[] copy(ByteBuffer document, int from, int length) {
        byte[] bytes = new byte[length];
        document.get(from, bytes);
        return bytes;
    }

    /** The index of the number in a document with this name; -1 if the document is malformed. */
    static int numberAt(ByteBuffer document, String name) {
        int at = afterName(document, name, NUMBER);
        return at >= 0 && at + Long.BYTES <= document.limit() ? at : -1;
    }

    /**
     * The index of the list (capacity, size, numbers) in a document with this name; -1 if the document is malformed.
     */
    static int numbersAt(ByteBuffer document, String name) {
        int at = afterName(document, name, NUMBERS);
        return at >= 0 && at + 2 * Long.BYTES <= document.limit() ? at : -1;
    }

    private static int afterName(ByteBuffer document, String name, int type) {
        if (!name(document).equals(name)) {
            return -1;
        }
        int at = 2 + name.length();
        while (at < document.limit()) {
            int code = document.get(at) & 0xff;
            if (code == type) {
                return at + 1;
            } else if (code == PAD) {
                at++;
            } else if (code == PAD_MANY && at + 1 + WORD_BYTES <= document.limit()) {
                int more = document.getInt(at + 1);
                if (more < 0 || more > Long.BYTES) {
                    return -1;
                }
                at += 1 + WORD_BYTES + more;
            } else {
                return -1;
            }
        }
        return -1;
    }
}
