package io.millrace.internal.record;

import io.millrace.journal.DatagramView;
import io.millrace.transport.BatchWriter;
import io.millrace.transport.StagedDatagram;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Writes one batch to a block of direct memory: {@link #append} frames, then {@link #seal} it. One thread at a time; the
 * ring passes it between threads.
 */
public final class FrameWriter implements BatchWriter {
    /** A flag of {@link #append(FrameSource, ByteBuffer, int, int, int, int, long)}: the message was longer than what is stored. */
    public static final int TRUNCATED = BatchLayout.FLAG_TRUNCATED;

    /** A flag of the same method: the connection ended before the message was complete. */
    public static final int INCOMPLETE = BatchLayout.FLAG_INCOMPLETE;

    private final ByteBuffer buffer;
    private final CRC32C crc = new CRC32C();
    private final DatagramView view = new DatagramView();
    private int length;
    private int count;
    private long baseTimeNs;
    private long minTimeNs;
    private long maxTimeNs;
    private long payloadBytes;
    private int truncated;
    private boolean extended;

    // The state at the mark.
    private int markLength;
    private int markCount;
    private long markMinTimeNs;
    private long markMaxTimeNs;
    private long markPayloadBytes;
    private int markTruncated;

    /**
     * Creates a writer for a block of memory.
     *
     * @param buffer direct memory, at least a header and one frame long; its order becomes little-endian
     */
    public FrameWriter(ByteBuffer buffer) {
        this.buffer = buffer.order(ByteOrder.LITTLE_ENDIAN);
        reset();
    }

    /** The maximum length of a frame with this payload, in bytes. */
    public static int maxFrameLength(int payloadBytes) {
        return BatchLayout.frameLength(true, payloadBytes);
    }

    /** The minimum memory for a batch with one datagram of this size, in bytes. */
    public static int minCapacity(int payloadBytes) {
        return BatchLayout.HEADER_BYTES + maxFrameLength(payloadBytes);
    }

    /** The minimum memory for a batch with one message of this size, in bytes. The message may have all attributes. */
    public static int minStreamCapacity(int payloadBytes) {
        return BatchLayout.HEADER_BYTES + BatchLayout.aligned(FrameSource.MAX_HEADER_BYTES + payloadBytes);
    }

    /** Removes all frames. */
    public void reset() {
        length = BatchLayout.HEADER_BYTES;
        count = 0;
        payloadBytes = 0;
        truncated = 0;
        extended = false;
    }

    /** True if there is room for a frame of this many bytes. */
    public boolean hasRoomFor(int frameBytes) {
        return buffer.capacity() - length >= frameBytes;
    }

    @Override
    public boolean append(StagedDatagram datagram, int input) {
        boolean ipv6 = datagram.isIpv6();
        int payloadLength = datagram.length();
        if (!hasRoomFor(BatchLayout.frameLength(ipv6, payloadLength))) {
            return false;
        }
        long timeNs = datagram.receiveTimeNs();
        if (!takesTime(timeNs)) {
            return false;
        }
        writeFrame(datagram, input, ipv6, payloadLength, (int) (timeNs - baseTimeNs));
        count++;
        payloadBytes += payloadLength;
        if (datagram.isTruncated()) {
            truncated++;
        }
        return true;
    }

    /**
     * Appends a message of a stream, or a datagram of a local socket, as a frame.
     *
     * @param source the source of the message
     * @param memory the memory that holds the payload
     * @param offset where the payload begins there
     * @param payloadLength the length of the payload, in bytes
     * @param originalLength its length on the wire; 0 if it is truncated and that is unknown
     * @param flags 0, {@link #TRUNCATED}, {@link #INCOMPLETE}, or both
     * @param timeNs receive time, in ns since the epoch
     * @return false as {@link #append(StagedDatagram, int)}
     */
    public boolean append(
            FrameSource source,
            ByteBuffer memory,
            int offset,
            int payloadLength,
            int originalLength,
            int flags,
            long timeNs) {
        int frame = length;
        int bytes = BatchLayout.aligned(source.headerLength() + payloadLength);
        if (!hasRoomFor(bytes) || !takesTime(timeNs)) {
            return false;
        }
        // Clears the padding first, as in writeFrame.
        buffer.putLong(frame + bytes - BatchLayout.FRAME_ALIGNMENT, 0);
        source.writeHeader(buffer, frame, payloadLength, originalLength, flags, (int) (timeNs - baseTimeNs));
        buffer.put(frame + source.headerLength(), memory, offset, payloadLength);
        length = frame + bytes;
        extended = true;
        count++;
        payloadBytes += payloadLength;
        truncated += (flags & TRUNCATED) != 0 ? 1 : 0;
        return true;
    }

    /**
     * Appends a copy of a frame of another batch.
     *
     * @return false as {@link #append(StagedDatagram, int)}
     */
    public boolean append(DatagramView datagram) {
        int bytes = datagram.frameBytes();
        long timeNs = datagram.receiveTimeNs();
        if (!hasRoomFor(bytes) || !takesTime(timeNs)) {
            return false;
        }
        datagram.copyFrame(buffer, length);
        buffer.putInt(length + BatchLayout.FRAME_TIME_DELTA, (int) (timeNs - baseTimeNs));
        extended |= datagram.isExtended();
        length += bytes;
        count++;
        payloadBytes += datagram.payloadLength();
        truncated += datagram.isTruncated() ? 1 : 0;
        return true;
    }

    /** Extends the time range of the batch to a time; false if that is more than two seconds from the first frame's. */
    private boolean takesTime(long timeNs) {
        if (count == 0) {
            baseTimeNs = timeNs;
            minTimeNs = timeNs;
            maxTimeNs = timeNs;
            return true;
        }
        long delta = timeNs - baseTimeNs;
        if (delta != (int) delta) {
            return false;
        }
        minTimeNs = Math.min(minTimeNs, timeNs);
        maxTimeNs = Math.max(maxTimeNs, timeNs);
        return true;
    }

    @Override
    public void written(
            int frames,
            int newLength,
            long newBaseTimeNs,
            long newMinTimeNs,
            long newMaxTimeNs,
            long newPayloadBytes,
            int newTruncated) {
        minTimeNs = count == 0 ? newMinTimeNs : Math.min(minTimeNs, newMinTimeNs);
        maxTimeNs = count == 0 ? newMaxTimeNs : Math.max(maxTimeNs, newMaxTimeNs);
        baseTimeNs = newBaseTimeNs;
        length = newLength;
        count += frames;
        payloadBytes += newPayloadBytes;
        truncated += newTruncated;
    }

    /** Marks the current end of the batch. {@link #retain} applies to the frames after it. */
    public void mark() {
        markLength = length;
        markCount = count;
        markMinTimeNs = minTimeNs;
        markMaxTimeNs = maxTimeNs;
        markPayloadBytes = payloadBytes;
        markTruncated = truncated;
    }

    /** Frames written since the {@link #mark}. */
    public int countSinceMark() {
        return count - markCount;
    }

    /** Bytes of payload written since the {@link #mark}, as stored. */
    public long payloadBytesSinceMark() {
        return payloadBytes - markPayloadBytes;
    }

    /** Truncated frames written since the {@link #mark}. */
    public int truncatedSinceMark() {
        return truncated - markTruncated;
    }

    /**
     * Removes the frames since the {@link #mark} that the test does not keep, and closes the space between the others. Times
     * stay relative to {@link #baseTimeNs()}, even if the frame that set it is removed.
     *
     * @param test called once per frame, in order, with a view that is valid until it returns
     */
    public void retain(DatagramPredicate test) {
        int end = length;
        backToMark();
        int frame = markLength;
        while (frame < end) {
            int flags = buffer.get(frame + BatchLayout.FRAME_FLAGS);
            int stored = BatchLayout.storedLengthAt(buffer, frame);
            int bytes = BatchLayout.frameLengthAt(buffer, frame);
            long timeNs = baseTimeNs + buffer.getInt(frame + BatchLayout.FRAME_TIME_DELTA);
            view.wrap(buffer, frame, end, baseTimeNs);
            if (test.keeps(view)) {
                keep(frame, bytes, stored, flags, timeNs);
            }
            frame += bytes;
        }
    }

    private void backToMark() {
        length = markLength;
        count = markCount;
        minTimeNs = markMinTimeNs;
        maxTimeNs = markMaxTimeNs;
        payloadBytes = markPayloadBytes;
        truncated = markTruncated;
    }

    private void keep(int frame, int bytes, int stored, int flags, long timeNs) {
        if (frame != length) {
            buffer.put(length, buffer, frame, bytes);
        }
        minTimeNs = count == 0 ? timeNs : Math.min(minTimeNs, timeNs);
        maxTimeNs = count == 0 ? timeNs : Math.max(maxTimeNs, timeNs);
        length += bytes;
        count++;
        payloadBytes += stored;
        truncated += (flags & BatchLayout.FLAG_TRUNCATED) != 0 ? 1 : 0;
    }

    private void writeFrame(StagedDatagram datagram, int input, boolean ipv6, int payloadLength, int delta) {
        int frame = length;
        int payload = frame + BatchLayout.frameHeaderLength(ipv6);
        int end = frame + BatchLayout.frameLength(ipv6, payloadLength);
        // Clears the padding, before the fields that it may overlap are written. The memory holds an older batch, whose
        // bytes must not reach the disk.
        buffer.putLong(end - BatchLayout.FRAME_ALIGNMENT, 0);
        int flags = (ipv6 ? BatchLayout.FLAG_IPV6 : 0) | (datagram.isTruncated() ? BatchLayout.FLAG_TRUNCATED : 0);
        buffer.putShort(frame + BatchLayout.FRAME_STORED_LENGTH, (short) payloadLength);
        buffer.put(frame + BatchLayout.FRAME_FLAGS, (byte) flags);
        buffer.put(frame + BatchLayout.FRAME_INPUT, (byte) input);
        buffer.putShort(frame + BatchLayout.FRAME_SOURCE_PORT, (short) datagram.port());
        buffer.putShort(frame + BatchLayout.FRAME_ORIGINAL_LENGTH, (short) datagram.originalLength());
        buffer.putInt(frame + BatchLayout.FRAME_TIME_DELTA, delta);
        buffer.put(frame + BatchLayout.FRAME_ADDRESS, datagram.address(), 0, ipv6 ? 16 : 4);
        if (ipv6) {
            buffer.putInt(frame + BatchLayout.FRAME_SCOPE_ID, datagram.scopeId());
        }
        buffer.put(payload, datagram.payload(), 0, payloadLength);
        length = end;
    }

    /**
     * Completes the batch: writes the header, with the checksum of the whole batch.
     *
     * @param shard the shard, 0 to 65,535
     * @param journalId the journal's random id
     * @param firstSequence sequence number of the first frame; the others follow without gaps
     */
    public void seal(int shard, long journalId, long firstSequence) {
        buffer.putInt(BatchLayout.MAGIC, BatchLayout.MAGIC_VALUE);
        buffer.put(BatchLayout.VERSION, (byte) (extended ? BatchLayout.VERSION_EXTENDED : BatchLayout.VERSION_VALUE));
        buffer.put(BatchLayout.HEADER_LENGTH, (byte) BatchLayout.HEADER_BYTES);
        buffer.putShort(BatchLayout.SHARD, (short) shard);
        buffer.putInt(BatchLayout.COUNT, count);
        buffer.putInt(BatchLayout.BODY_LENGTH, length - BatchLayout.HEADER_BYTES);
        buffer.putInt(BatchLayout.FLAGS, 0);
        buffer.putLong(BatchLayout.JOURNAL_ID, journalId);
        buffer.putLong(BatchLayout.FIRST_SEQUENCE, firstSequence);
        buffer.putLong(BatchLayout.BASE_TIME, baseTimeNs);
        buffer.putLong(BatchLayout.MIN_TIME, minTimeNs);
        buffer.putLong(BatchLayout.MAX_TIME, maxTimeNs);
        buffer.limit(length).position(BatchLayout.MAGIC);
        crc.reset();
        crc.update(buffer);
        buffer.clear();
        buffer.putInt(BatchLayout.CRC, (int) crc.getValue());
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int count() {
        return count;
    }

    /** Bytes of all payloads so far, as stored. */
    public long payloadBytes() {
        return payloadBytes;
    }

    /** The number of truncated frames so far. */
    public int truncated() {
        return truncated;
    }

    /** The earliest receive time of a frame, in ns since the epoch. Undefined while there is no frame. */
    public long minTimeNs() {
        return minTimeNs;
    }

    /** The latest receive time in the batch, in ns since the epoch; only if it has datagrams. */
    public long maxTimeNs() {
        return maxTimeNs;
    }

    @Override
    public long baseTimeNs() {
        return baseTimeNs;
    }
}
