package io.millrace.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Fills a block of direct memory with one batch: {@link #append} frames, then {@link #seal} it with its numbers. One
 * thread at a time; handoff between threads is the ring's.
 */
public final class BatchWriter {
    /** The message was longer than what is stored: a mark of {@link #append(FrameSource, ByteBuffer, int, int, int, int, long)}. */
    public static final int TRUNCATED = BatchLayout.FLAG_TRUNCATED;

    /** The connection ended before the message did: a mark of the same. */
    public static final int INCOMPLETE = BatchLayout.FLAG_INCOMPLETE;

    private final ByteBuffer buffer;
    private final CRC32C crc = new CRC32C();
    private int length;
    private int count;
    private long baseTimeNs;
    private long minTimeNs;
    private long maxTimeNs;
    private long payloadBytes;
    private int truncated;
    private boolean extended;

    // What there was at the mark.
    private int markLength;
    private int markCount;
    private long markMinTimeNs;
    private long markMaxTimeNs;
    private long markPayloadBytes;
    private int markTruncated;

    /** Says which frames stay. */
    @FunctionalInterface
    public interface FrameTest {
        /**
         * True if a frame stays.
         *
         * @param ipv6 family of the source
         * @param high the first 64 bits of the source address as a number; of IPv4 the address and 32 zeros
         * @param low its other 64 bits; of IPv4 0
         * @param payloadBytes bytes of the payload, as stored
         * @param receiveTimeNs receive time, in ns since the epoch
         */
        boolean keeps(boolean ipv6, long high, long low, int payloadBytes, long receiveTimeNs);
    }

    /**
     * Makes a writer for a block of memory.
     *
     * @param buffer direct memory, at least a header and one frame long; its order becomes little-endian
     */
    public BatchWriter(ByteBuffer buffer) {
        this.buffer = buffer.order(ByteOrder.LITTLE_ENDIAN);
        reset();
    }

    /** The most bytes a frame of a payload can take, whatever its source. */
    public static int maxFrameLength(int payloadBytes) {
        return BatchLayout.frameLength(true, payloadBytes);
    }

    /** The least bytes of memory for a batch that holds one datagram of this size. */
    public static int minCapacity(int payloadBytes) {
        return BatchLayout.HEADER_BYTES + maxFrameLength(payloadBytes);
    }

    /** The least bytes of memory for a batch that holds one message of this size, whatever its source. */
    public static int minStreamCapacity(int payloadBytes) {
        return BatchLayout.HEADER_BYTES + BatchLayout.aligned(FrameSource.MAX_HEADER_BYTES + payloadBytes);
    }

    /** Forgets all frames. */
    public void reset() {
        length = BatchLayout.HEADER_BYTES;
        count = 0;
        payloadBytes = 0;
        truncated = 0;
        extended = false;
    }

    /** True if a frame of this many bytes fits. */
    public boolean hasRoomFor(int frameBytes) {
        return buffer.capacity() - length >= frameBytes;
    }

    /**
     * Writes a datagram as the next frame.
     *
     * @return false if it does not fit, for its length or because its time is over two seconds from the batch's first:
     *     it then belongs in the next batch
     */
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
     * Writes a message of a stream, or a datagram of a local socket, as the next frame.
     *
     * @param source where it comes from
     * @param memory holds the payload
     * @param offset where it begins there
     * @param payloadLength its bytes
     * @param originalLength its bytes on the wire; 0 in a truncated one if that is not known
     * @param marks 0, or {@link #TRUNCATED} and {@link #INCOMPLETE}
     * @param timeNs receive time, in ns since the epoch
     * @return false as {@link #append(StagedDatagram, int)}
     */
    public boolean append(
            FrameSource source,
            ByteBuffer memory,
            int offset,
            int payloadLength,
            int originalLength,
            int marks,
            long timeNs) {
        int frame = length;
        int bytes = BatchLayout.aligned(source.headerLength() + payloadLength);
        if (!hasRoomFor(bytes) || !takesTime(timeNs)) {
            return false;
        }
        // First, as in writeFrame.
        buffer.putLong(frame + bytes - BatchLayout.FRAME_ALIGNMENT, 0);
        source.writeHeader(buffer, frame, payloadLength, originalLength, marks, (int) (timeNs - baseTimeNs));
        buffer.put(frame + source.headerLength(), memory, offset, payloadLength);
        length = frame + bytes;
        extended = true;
        count++;
        payloadBytes += payloadLength;
        truncated += (marks & TRUNCATED) != 0 ? 1 : 0;
        return true;
    }

    /** False if a time is over two seconds from the batch's first; else the batch is about it too. */
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

    /**
     * Takes note of frames that somebody else wrote into {@link #buffer()} behind {@link #length()}: a receive call in
     * another language, which gets the memory and writes the same bytes {@link #append} would.
     *
     * @param frames how many, at least one
     * @param newLength where the last one ends
     * @param newBaseTimeNs what their times are relative to; {@link #baseTimeNs()} unless the batch was empty
     * @param newMinTimeNs earliest receive time among them
     * @param newMaxTimeNs latest receive time among them
     * @param newPayloadBytes bytes of their payloads
     * @param newTruncated how many of them are truncated
     */
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

    /** Notes where the batch ends now: {@link #retain} is about the frames that come after it. */
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

    /** Frames written since the {@link #mark} whose datagram was longer than what is stored. */
    public int truncatedSinceMark() {
        return truncated - markTruncated;
    }

    /**
     * Takes frames that were written since the {@link #mark} out again, and moves those that stay together. Times stay
     * relative to {@link #baseTimeNs()}, also if the frame that set it goes.
     *
     * @param test asked once for each of them, in their order
     */
    public void retain(FrameTest test) {
        int end = length;
        length = markLength;
        count = markCount;
        minTimeNs = markMinTimeNs;
        maxTimeNs = markMaxTimeNs;
        payloadBytes = markPayloadBytes;
        truncated = markTruncated;
        int frame = markLength;
        while (frame < end) {
            int flags = buffer.get(frame + BatchLayout.FRAME_FLAGS);
            boolean ipv6 = (flags & BatchLayout.FLAG_IPV6) != 0;
            int stored = BatchLayout.storedLengthAt(buffer, frame);
            int bytes = BatchLayout.frameLengthAt(buffer, frame);
            long timeNs = baseTimeNs + buffer.getInt(frame + BatchLayout.FRAME_TIME_DELTA);
            long high = BatchLayout.sourceHigh(buffer, frame, ipv6);
            if (test.keeps(ipv6, high, BatchLayout.sourceLow(buffer, frame, ipv6), stored, timeNs)) {
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
            frame += bytes;
        }
    }

    private void writeFrame(StagedDatagram datagram, int input, boolean ipv6, int payloadLength, int delta) {
        int frame = length;
        int payload = frame + BatchLayout.frameHeaderLength(ipv6);
        int end = frame + BatchLayout.frameLength(ipv6, payloadLength);
        // First, and before what it may overlap: the memory holds an older batch, whose bytes must not reach the
        // disk as this one's padding.
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
     * Completes the batch: numbers, then the checksum over all of it.
     *
     * @param shard the shard, 0 to 65,535
     * @param journalId the journal's random id
     * @param firstSequence sequence number of the first frame; the others follow without holes
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

    /** The memory, from offset 0 to {@link #length()}. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Bytes of the batch so far, header included. */
    public int length() {
        return length;
    }

    /** Frames so far. */
    public int count() {
        return count;
    }

    /** Bytes of all payloads so far, as stored. */
    public long payloadBytes() {
        return payloadBytes;
    }

    /** Frames so far whose datagram was longer than what is stored. */
    public int truncated() {
        return truncated;
    }

    /** The earliest time of a frame, in ns since the epoch; means nothing while there is no frame. */
    public long minTimeNs() {
        return minTimeNs;
    }

    /** What the frames' times are relative to, in ns since the epoch; means nothing while there is no frame. */
    public long baseTimeNs() {
        return baseTimeNs;
    }
}
