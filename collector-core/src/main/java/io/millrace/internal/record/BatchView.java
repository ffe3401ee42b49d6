package io.millrace.internal.record;

import io.millrace.journal.DatagramView;
import io.millrace.journal.GapReason;
import io.millrace.journal.UnknownVersionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * A read-only view of a batch in memory. {@link #wrap} sets the memory; {@link #check()} verifies the header, the checksum
 * and all frames. One thread.
 */
public final class BatchView {
    /** The maximum length of a batch, in bytes. A greater length is damage. */
    public static final int MAX_BYTES = 64 << 20;

    /** The result of {@link #check()}. */
    public enum Health {
        /** The checksum is right and the frames add up. */
        OK,
        /** The memory has no magic number, or is shorter than a header. */
        NOT_A_BATCH,
        /** The format version is unknown. */
        UNKNOWN_VERSION,
        /** The batch is longer than the memory given. */
        CUT_OFF,
        /** The checksum is wrong. */
        BAD_CHECKSUM,
        /** The checksum is right, but lengths or sequence numbers are inconsistent: a defect of the writer. */
        BAD_FRAMES
    }

    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

    private final CRC32C crc = new CRC32C();
    private ByteBuffer buffer = EMPTY;
    private int offset;
    private int available;

    /** The length of a batch header in bytes. It is enough to read the length of the batch. */
    public static int headerBytes() {
        return BatchLayout.HEADER_BYTES;
    }

    /** True if the memory has the magic number of a batch that begins at this offset. */
    public static boolean isMagicAt(ByteBuffer littleEndian, int offset) {
        return littleEndian.getInt(offset + BatchLayout.MAGIC) == BatchLayout.MAGIC_VALUE;
    }

    /**
     * Sets the memory to read, which may hold a batch.
     *
     * @param memory its order becomes little-endian
     * @param offset where the batch begins
     * @param available the number of bytes from there that may be read
     */
    public BatchView wrap(ByteBuffer memory, int offset, int available) {
        this.buffer = memory.order(ByteOrder.LITTLE_ENDIAN);
        this.offset = offset;
        this.available = available;
        return this;
    }

    /** Checks the header only. {@link Health#OK} means that it can be read, not that the batch is undamaged. */
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
     * Checks header, checksum and frames, and fails if the version is unknown.
     *
     * @return true if the batch is undamaged
     * @throws UnknownVersionException if the batch is undamaged, but its version is unknown
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
            // A flipped bit can also make the version unknown.
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
     * The length of a frame, in bytes.
     *
     * @param frame where it begins in the batch
     * @param room bytes from there to the end of the batch
     * @return -1 if the frame is damaged, or longer than the room
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
        // Each is checked by itself, because their sum may exceed 2^31.
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

    /** The format version. */
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

    /** The number of datagrams in the batch. */
    public int count() {
        return buffer.getInt(offset + BatchLayout.COUNT);
    }

    /** The length of the batch with its header, in bytes. */
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
     * True if this batch has no datagrams and marks a sequence gap. The gap is from {@link #gapFirst()} to the number before
     * {@link #firstSequence()}. {@code repair} and {@code export} write such batches.
     */
    public boolean isGap() {
        return (buffer.getInt(offset + BatchLayout.FLAGS) & BatchLayout.BATCH_FLAG_GAP) != 0;
    }

    /** The first missing sequence number of a {@link #isGap() gap}. */
    public long gapFirst() {
        return buffer.getLong(offset + BatchLayout.GAP_FIRST);
    }

    public GapReason gapReason() {
        return GapReason.of(buffer.getInt(offset + BatchLayout.GAP_REASON));
    }

    /** The first sequence number of this batch: of its datagrams, or of its gap. */
    public long startSequence() {
        return isGap() ? gapFirst() : firstSequence();
    }

    /** Copies the batch to the beginning of other memory, which must have room for {@link #length()} bytes. */
    public void copyTo(ByteBuffer memory) {
        memory.put(0, buffer, offset, length());
    }

    /** The first sequence number of the next batch. */
    public long nextSequence() {
        return firstSequence() + count();
    }

    /** The base time, in ns since the epoch. The times of frames are relative to it. */
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

    /** Sets a view to the first datagram; {@link DatagramView#next()} moves it on. Check the batch before. */
    public void first(DatagramView view) {
        view.wrap(buffer, offset + BatchLayout.HEADER_BYTES, offset + length(), baseTimeNs());
    }
}
