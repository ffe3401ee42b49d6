package io.millrace.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Reads a batch that lies in memory. {@link #wrap} looks at the header; {@link #check()} then says whether all of it is
 * as it was written. One thread.
 */
public final class BatchView {
    /** The longest batch a reader accepts, in bytes: a longer length is damage. */
    public static final int MAX_BYTES = 64 << 20;

    /** What {@link #check()} found. */
    public enum Health {
        /** The checksum is right and the frames add up. */
        OK,
        /** The memory holds no batch: no magic number, or shorter than a header. */
        NOT_A_BATCH,
        /** A batch of a version this reader does not know. */
        UNKNOWN_VERSION,
        /** The batch is longer than the memory given. */
        CUT_OFF,
        /** The checksum is wrong. */
        BAD_CHECKSUM,
        /** The checksum is right, but frames or numbers do not add up: a defect of the writer. */
        BAD_FRAMES
    }

    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private final CRC32C crc = new CRC32C();
    private ByteBuffer buffer = EMPTY;
    private int offset;
    private int available;

    /** Bytes of a batch header: what {@link #wrap} needs before the length of a batch is known. */
    public static int headerBytes() {
        return BatchLayout.HEADER_BYTES;
    }

    /** True if a batch's magic number stands where a batch beginning at this offset has it. */
    public static boolean isMagicAt(ByteBuffer littleEndian, int offset) {
        return littleEndian.getInt(offset + BatchLayout.MAGIC) == BatchLayout.MAGIC_VALUE;
    }

    /**
     * Looks at memory that may hold a batch.
     *
     * @param memory its order becomes little-endian
     * @param offset where the batch begins
     * @param available bytes from there that may be read
     */
    public BatchView wrap(ByteBuffer memory, int offset, int available) {
        this.buffer = memory.order(ByteOrder.LITTLE_ENDIAN);
        this.offset = offset;
        this.available = available;
        return this;
    }

    /** Checks the header alone: {@link Health#OK} says it can be read, not that the batch is undamaged. */
    public Health checkHeader() {
        if (available < BatchLayout.HEADER_BYTES || !isMagicAt(buffer, offset)) {
            return Health.NOT_A_BATCH;
        }
        if (!BatchLayout.isKnownVersion(version()) || headerLength() != BatchLayout.HEADER_BYTES) {
            return Health.UNKNOWN_VERSION;
        }
        return fits() ? Health.OK : Health.CUT_OFF;
    }

    /**
     * Checks header, checksum and frames, and insists on a version it knows.
     *
     * @return true if the batch is undamaged
     * @throws UnknownVersionException if it is undamaged, but of a version that this code does not know
     */
    public boolean isGood() {
        Health health = check();
        if (health == Health.UNKNOWN_VERSION) {
            throw new UnknownVersionException(version());
        }
        return health == Health.OK;
    }

    /** Checks header, checksum and frames. */
    public Health check() {
        Health header = checkHeader();
        if (header == Health.UNKNOWN_VERSION) {
            // One wrong bit makes a version that nobody knows, too.
            return fits() && isChecksumRight() ? header : Health.BAD_CHECKSUM;
        }
        if (header != Health.OK) {
            return header;
        }
        if (!isChecksumRight()) {
            return Health.BAD_CHECKSUM;
        }
        return framesAddUp() ? Health.OK : Health.BAD_FRAMES;
    }

    private boolean fits() {
        int body = buffer.getInt(offset + BatchLayout.BODY_LENGTH);
        return body >= 0 && body <= available - BatchLayout.HEADER_BYTES;
    }

    private boolean isChecksumRight() {
        int position = buffer.position();
        int limit = buffer.limit();
        buffer.clear().limit(offset + length()).position(offset + BatchLayout.MAGIC);
        crc.reset();
        crc.update(buffer);
        buffer.clear().limit(limit).position(position);
        return (int) crc.getValue() == buffer.getInt(offset + BatchLayout.CRC);
    }

    private boolean framesAddUp() {
        int end = length();
        if (count() < 0 || firstSequence() < 0 || nextSequence() < 0) {
            return false;
        }
        if (isGap()) {
            return count() == 0
                    && end == BatchLayout.GAP_FIRST + BatchLayout.GAP_BODY_BYTES
                    && gapFirst() >= 0
                    && gapFirst() < firstSequence();
        }
        int frame = BatchLayout.HEADER_BYTES;
        for (int i = 0; i < count(); i++) {
            long length = frameLength(frame, end - frame);
            if (length < 0) {
                return false;
            }
            frame += (int) length;
        }
        return frame == end;
    }

    /**
     * Bytes of a frame.
     *
     * @param frame where it begins in the batch
     * @param room bytes from there to the end of the batch
     * @return -1 if it is damaged, or longer than the room
     */
    private long frameLength(int frame, int room) {
        if (room < BatchLayout.FRAME_HEADER_IPV4) {
            return -1;
        }
        int at = offset + frame;
        int flags = buffer.get(at + BatchLayout.FRAME_FLAGS);
        boolean extended = (flags & BatchLayout.FLAG_EXTENDED) != 0;
        if (extended
                && (version() == BatchLayout.VERSION_VALUE
                        || room
                                < BatchLayout.frameHeaderLength((flags & BatchLayout.FLAG_IPV6) != 0)
                                        + BatchLayout.EXTENSION_BYTES)) {
            return -1;
        }
        int header = BatchLayout.headerLengthAt(buffer, at);
        int stored = BatchLayout.storedLengthAt(buffer, at);
        // Both are checked alone, because their sum may be beyond 2^31.
        if (header > room || header % BatchLayout.FRAME_ALIGNMENT != 0 || stored < 0 || stored > room - header) {
            return -1;
        }
        int length = BatchLayout.aligned(header + stored);
        return length > room || !attributesAddUp(at, flags, header) ? -1 : length;
    }

    private boolean attributesAddUp(int at, int flags, int header) {
        if ((flags & BatchLayout.FLAG_EXTENDED) == 0) {
            return true;
        }
        int end = at + header;
        int attribute =
                at + BatchLayout.frameHeaderLength((flags & BatchLayout.FLAG_IPV6) != 0) + BatchLayout.EXTENSION_BYTES;
        while (attribute < end && buffer.get(attribute) != BatchLayout.ATTRIBUTE_END) {
            if (end - attribute < BatchLayout.ATTRIBUTE_HEADER) {
                return false;
            }
            attribute += BatchLayout.ATTRIBUTE_HEADER + Byte.toUnsignedInt(buffer.get(attribute + 1));
        }
        return attribute <= end;
    }

    /** Version of the format. */
    public int version() {
        return Byte.toUnsignedInt(buffer.get(offset + BatchLayout.VERSION));
    }

    private int headerLength() {
        return Byte.toUnsignedInt(buffer.get(offset + BatchLayout.HEADER_LENGTH));
    }

    /** The shard, 0 to 65,535. */
    public int shard() {
        return Short.toUnsignedInt(buffer.getShort(offset + BatchLayout.SHARD));
    }

    /** Datagrams in the batch. */
    public int count() {
        return buffer.getInt(offset + BatchLayout.COUNT);
    }

    /** Bytes of the batch, header included. */
    public int length() {
        return BatchLayout.HEADER_BYTES + buffer.getInt(offset + BatchLayout.BODY_LENGTH);
    }

    /** The journal's random id. */
    public long journalId() {
        return buffer.getLong(offset + BatchLayout.JOURNAL_ID);
    }

    /** Sequence number of the first datagram. */
    public long firstSequence() {
        return buffer.getLong(offset + BatchLayout.FIRST_SEQUENCE);
    }

    /**
     * True if this batch holds no datagrams but says which are missing: those from {@link #gapFirst()} to the one before
     * {@link #firstSequence()}. {@code repair} and {@code export} write such batches.
     */
    public boolean isGap() {
        return (buffer.getInt(offset + BatchLayout.FLAGS) & BatchLayout.BATCH_FLAG_GAP) != 0;
    }

    /** The first sequence number that is missing, in a batch that {@link #isGap() is a gap}. */
    public long gapFirst() {
        return buffer.getLong(offset + BatchLayout.GAP_FIRST);
    }

    /** Why they are missing, in a batch that {@link #isGap() is a gap}. */
    public GapReason gapReason() {
        return GapReason.of(buffer.getInt(offset + BatchLayout.GAP_REASON));
    }

    /** The first sequence number this batch speaks of: of its first datagram, or of its gap. */
    public long startSequence() {
        return isGap() ? gapFirst() : firstSequence();
    }

    /** Copies the batch, byte for byte, to the beginning of other memory, which has room for {@link #length()} bytes. */
    public void copyTo(ByteBuffer memory) {
        memory.put(0, buffer, offset, length());
    }

    /** Sequence number of the first datagram of the batch after this one. */
    public long nextSequence() {
        return firstSequence() + count();
    }

    /** Receive time the frames' times are relative to, in ns since the epoch. */
    long baseTimeNs() {
        return buffer.getLong(offset + BatchLayout.BASE_TIME);
    }

    /** Earliest receive time, in ns since the epoch. */
    public long minTimeNs() {
        return buffer.getLong(offset + BatchLayout.MIN_TIME);
    }

    /** Latest receive time, in ns since the epoch. */
    public long maxTimeNs() {
        return buffer.getLong(offset + BatchLayout.MAX_TIME);
    }

    /** Puts a view on the first datagram; {@link DatagramView#next()} goes on. The batch must have been checked. */
    public void first(DatagramView view) {
        view.wrap(buffer, offset + BatchLayout.HEADER_BYTES, offset + length(), baseTimeNs());
    }
}
