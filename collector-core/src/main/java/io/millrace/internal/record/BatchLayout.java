package io.millrace.internal.record;

import java.nio.ByteBuffer;

/** The offsets, lengths and flags of the record format; offsets and lengths in bytes. No other class has them as literals. */
public final class BatchLayout {
    static final int CRC = 0; // u32, CRC-32C (RFC 3720, appendix B.4) of everything after it
    static final int MAGIC = 4; // u32
    static final int VERSION = 8; // u8
    static final int HEADER_LENGTH = 9; // u8
    static final int SHARD = 10; // u16
    static final int COUNT = 12; // u32
    static final int BODY_LENGTH = 16; // u32, without the header
    static final int FLAGS = 20; // u32: the flags of a batch, not of a frame
    static final int JOURNAL_ID = 24; // u64
    static final int FIRST_SEQUENCE = 32; // u64
    static final int BASE_TIME = 40; // i64, ns since the epoch
    static final int MIN_TIME = 48; // i64
    static final int MAX_TIME = 56; // i64
    static final int HEADER_BYTES = 64;

    static final int MAGIC_VALUE = 0x4342524d; // the bytes "MRBC"
    static final int VERSION_VALUE = 1;
    public static final int VERSION_EXTENDED = 2; // version 1, and frames may have the extended header

    static final int BATCH_FLAG_GAP = 1;
    static final int GAP_FIRST = HEADER_BYTES; // u64, the first missing sequence number
    static final int GAP_REASON = HEADER_BYTES + 8; // u32
    static final int GAP_BODY_BYTES = 16; // with 4 bytes of zeros at the end

    static final int FRAME_STORED_LENGTH = 0; // u16
    public static final int FRAME_FLAGS = 2; // u8
    public static final int FRAME_INPUT = 3; // u8
    public static final int FRAME_SOURCE_PORT = 4; // u16
    public static final int FRAME_ORIGINAL_LENGTH = 6; // u16, 0 in a truncated frame with an unknown length on the wire
    public static final int FRAME_TIME_DELTA = 8; // i32, ns after the batch's base time
    public static final int FRAME_ADDRESS = 12; // 4 or 16 bytes in network order
    public static final int FRAME_SCOPE_ID = 28; // u32, IPv6 only
    static final int FRAME_HEADER_IPV4 = 16;
    static final int FRAME_HEADER_IPV6 = 32;
    static final int FRAME_ALIGNMENT = 8;

    // The extension follows the frame header. The attributes and the payload follow the extension.
    static final int EXTENSION_STORED_LENGTH_HIGH = 0; // u16, the upper half of a u32
    public static final int EXTENSION_ORIGINAL_LENGTH_HIGH = 2; // u16, the upper half of a u32
    public static final int EXTENSION_TRANSPORT = 4; // u8, followed by a u8 that is 0
    static final int EXTENSION_ATTRIBUTES_LENGTH = 6; // u16, bytes of all attributes, a multiple of 8
    public static final int EXTENSION_BYTES = 8;

    public static final int ATTRIBUTE_END = 0; // u8: only zeros follow
    public static final int ATTRIBUTE_CREDENTIALS = 1; // u8 type, u8 length = 12, u32 pid, u32 uid, u32 gid
    public static final int ATTRIBUTE_TLS_PEER = 2; // u8 type, u8 length, the name in UTF-8
    public static final int ATTRIBUTE_HEADER = 2;
    public static final int CREDENTIALS_BYTES = 12;

    public static final int FLAG_IPV6 = 1;
    public static final int FLAG_TRUNCATED = 1 << 1;
    public static final int FLAG_KERNEL_TIME = 1 << 2;
    public static final int FLAG_EXTENDED = 1 << 3;
    public static final int FLAG_INCOMPLETE = 1 << 4; // in an extended frame only

    private BatchLayout() {}

    public static int frameHeaderLength(boolean ipv6) {
        return ipv6 ? FRAME_HEADER_IPV6 : FRAME_HEADER_IPV4;
    }

    static int frameLength(boolean ipv6, int payloadLength) {
        return aligned(frameHeaderLength(ipv6) + payloadLength);
    }

    static boolean isKnownVersion(int version) {
        return version == VERSION_VALUE || version == VERSION_EXTENDED;
    }

    /** The header length of the frame at this offset, with extension and attributes. */
    public static int headerLengthAt(ByteBuffer memory, int frame) {
        int flags = memory.get(frame + FRAME_FLAGS);
        int header = frameHeaderLength((flags & FLAG_IPV6) != 0);
        return (flags & FLAG_EXTENDED) == 0
                ? header
                : header
                        + EXTENSION_BYTES
                        + Short.toUnsignedInt(memory.getShort(frame + header + EXTENSION_ATTRIBUTES_LENGTH));
    }

    /** The stored payload length of the frame at this offset; negative if it is damaged. */
    public static int storedLengthAt(ByteBuffer memory, int frame) {
        return lengthAt(memory, frame, FRAME_STORED_LENGTH, EXTENSION_STORED_LENGTH_HIGH);
    }

    /** A length. Its lower half is in the frame header, its upper half in the extension, if there is one. */
    public static int lengthAt(ByteBuffer memory, int frame, int low, int high) {
        int length = Short.toUnsignedInt(memory.getShort(frame + low));
        int flags = memory.get(frame + FRAME_FLAGS);
        return (flags & FLAG_EXTENDED) == 0
                ? length
                : length | memory.getShort(frame + frameHeaderLength((flags & FLAG_IPV6) != 0) + high) << 16;
    }

    /** The length of the frame at this offset, with padding. */
    static int frameLengthAt(ByteBuffer memory, int frame) {
        return aligned(headerLengthAt(memory, frame) + storedLengthAt(memory, frame));
    }

    public static int aligned(int bytes) {
        return (bytes + FRAME_ALIGNMENT - 1) & -FRAME_ALIGNMENT;
    }

    /** The first 64 bits of a frame's source address as a number; for IPv4 the address and 32 zero bits. */
    static long sourceHigh(ByteBuffer memory, int frame, boolean ipv6) {
        return ipv6
                ? Long.reverseBytes(memory.getLong(frame + FRAME_ADDRESS))
                : (long) Integer.reverseBytes(memory.getInt(frame + FRAME_ADDRESS)) << 32;
    }

    /** The last 64 bits of a frame's source address as a number; 0 for IPv4. */
    static long sourceLow(ByteBuffer memory, int frame, boolean ipv6) {
        return ipv6 ? Long.reverseBytes(memory.getLong(frame + FRAME_ADDRESS + 8)) : 0;
    }
}
