package io.millrace.internal.gelf;

import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompressor of payloads in gzip (RFC 1952) or zlib (RFC 1950). Work and memory are limited: a payload that would
 * expand to more than its limit costs no more than one of that size. One thread.
 */
public final class Expander {
    /** The largest limit of an expanded payload. */
    public static final int MAX_BYTES = 1 << 20;

    /** The usual limit. */
    public static final int DEFAULT_BYTES = 64 << 10;

    /** Smaller payloads have a smaller limit, so that a sender gains no more by many of them than by a few large ones. */
    private static final int FULL_LIMIT_BYTES = 1024;

    /** What text may expand to in any case. */
    private static final long MIN_FACTOR = 8;

    /** What became of a payload. */
    public enum Result {
        /** It is not compressed. */
        PLAIN("plain"),
        /** It is expanded. */
        EXPANDED("expanded"),
        /** It is larger than the limit. */
        TOO_LARGE("too-large"),
        /** It is damaged or incomplete. */
        DAMAGED("damaged");

        private final String key;

        Result(String key) {
            this.key = key;
        }

        /** The name in outputs. */
        public String key() {
            return key;
        }
    }

    /** What became of a payload, and its bytes. Several threads may read it. */
    public static final class Payload {
        private static final byte[] NONE = {};

        private final Result result;
        private final byte[] bytes;

        private Payload(Result result, byte[] bytes) {
            this.result = result;
            this.bytes = bytes;
        }

        /** What became of it. */
        public Result result() {
            return result;
        }

        /** The expanded bytes, which nobody changes; none unless it is {@link Result#EXPANDED}. */
        public byte[] bytes() {
            return bytes;
        }
    }

    private static final int ID_1 = 0x1f;
    private static final int ID_2 = 0x8b;
    private static final int HEADER_BYTES = 10;
    private static final int TRAILER_BYTES = 8;
    private static final int FLAG_HEADER_CRC = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    private static final int RESERVED_FLAGS = 0xe0;
    private static final int DEFLATE = 8;

    private final CRC32 crc = new CRC32();
    private final Inflater raw = new Inflater(true);
    private final Inflater zlib = new Inflater();
    private byte[] bytes = new byte[8192];
    private int length;

    /** Creates an expander. */
    public Expander() {}

    /** True if a payload begins as gzip or zlib do. */
    public static boolean isCompressed(byte[] b, int begin, int end) {
        return end - begin > 2 && (isGzip(b, begin) || isZlib(b, begin));
    }

    private static boolean isGzip(byte[] b, int begin) {
        return b[begin] == ID_1 && b[begin + 1] == (byte) ID_2;
    }

    /** The method deflate with a window of 32 KiB, and a check of the header. */
    private static boolean isZlib(byte[] b, int begin) {
        return b[begin] == 0x78 && ((0x78 << 8) | (b[begin + 1] & 0xff)) % 31 == 0 && (b[begin + 1] & 0x20) == 0;
    }

    /** The limit of a payload: the largest one in proportion to its size if that is less than {@value #FULL_LIMIT_BYTES} bytes. */
    public static int limit(int maxBytes, int payloadBytes) {
        long proportional = (long) maxBytes * Math.min(payloadBytes, FULL_LIMIT_BYTES) / FULL_LIMIT_BYTES;
        return (int) Math.max(proportional, Math.min(maxBytes, MIN_FACTOR * payloadBytes));
    }

    /**
     * Expands a payload.
     *
     * @param maxBytes the limit of its expanded size, up to {@value #MAX_BYTES}
     */
    public Payload expand(byte[] b, int begin, int end, int maxBytes) {
        Result result = inflated(b, begin, end, maxBytes);
        return new Payload(result, result == Result.EXPANDED ? Arrays.copyOf(bytes, length) : Payload.NONE);
    }

    private Result inflated(byte[] b, int begin, int end, int maxBytes) {
        length = 0;
        if (!isCompressed(b, begin, end)) {
            return Result.PLAIN;
        }
        try {
            if (!isGzip(b, begin)) {
                Result result = inflate(zlib, b, begin, end, maxBytes);
                // Text can begin with x^ too.
                return result == Result.DAMAGED && length == 0 && b[begin + 1] == '^' ? Result.PLAIN : result;
            }
            int from = afterHeader(b, begin, end);
            if (from < 0 || end - from < TRAILER_BYTES) {
                return Result.DAMAGED;
            }
            Result result = inflate(raw, b, from, end - TRAILER_BYTES, maxBytes);
            if (result == Result.EXPANDED && !isTrailer(b, end - TRAILER_BYTES)) {
                return Result.DAMAGED;
            }
            return result;
        } catch (DataFormatException e) {
            boolean text = !isGzip(b, begin) && b[begin + 1] == '^';
            return text ? Result.PLAIN : Result.DAMAGED;
        }
    }

    private Result inflate(Inflater inflater, byte[] b, int begin, int end, int maxBytes) throws DataFormatException {
        inflater.reset();
        inflater.setInput(b, begin, end - begin);
        while (true) {
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.min(2 * length, MAX_BYTES + 1));
            }
            // One byte more than the limit shows that there is more.
            int count = inflater.inflate(bytes, length, Math.min(bytes.length, maxBytes + 1) - length);
            length += count;
            if (length > maxBytes) {
                return Result.TOO_LARGE;
            }
            if (inflater.finished()) {
                return Result.EXPANDED;
            }
            if (count == 0) {
                return Result.DAMAGED;
            }
        }
    }

    /** The position after a gzip header; -1 if it is damaged. */
    private static int afterHeader(byte[] b, int begin, int end) {
        if (end - begin < HEADER_BYTES || b[begin + 2] != DEFLATE || (b[begin + 3] & RESERVED_FLAGS) != 0) {
            return -1;
        }
        int flags = b[begin + 3];
        int pos = begin + HEADER_BYTES;
        if ((flags & FLAG_EXTRA) != 0) {
            pos = end - pos < 2 ? end : pos + 2 + (b[pos] & 0xff) + ((b[pos + 1] & 0xff) << 8);
        }
        pos = (flags & FLAG_NAME) != 0 ? afterZero(b, pos, end) : pos;
        pos = (flags & FLAG_COMMENT) != 0 ? afterZero(b, pos, end) : pos;
        pos = (flags & FLAG_HEADER_CRC) != 0 ? pos + 2 : pos;
        return pos < end ? pos : -1;
    }

    private static int afterZero(byte[] b, int begin, int end) {
        int pos = begin;
        while (pos < end && b[pos] != 0) {
            pos++;
        }
        return pos + 1;
    }

    /** True if the trailer has the checksum and the length of what was expanded. */
    private boolean isTrailer(byte[] b, int pos) {
        crc.reset();
        crc.update(bytes, 0, length);
        return number(b, pos) == (int) crc.getValue() && number(b, pos + 4) == length;
    }

    private static int number(byte[] b, int pos) {
        return (b[pos] & 0xff) | ((b[pos + 1] & 0xff) << 8) | ((b[pos + 2] & 0xff) << 16) | ((b[pos + 3] & 0xff) << 24);
    }
}
