package io.millrace.internal.gelf;

import io.millrace.internal.record.FrameSource;
import io.millrace.journal.DatagramView;
import io.millrace.journal.FrameTransport;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Merges the chunks of GELF messages, which arrive in any order: magic bytes {@code 1e 0f}, a message id of eight bytes,
 * the index of the chunk, and their number, up to {@value #MAX_CHUNKS}.
 *
 * <p>Chunks wait until their message is complete, or {@value #TIMEOUT_SECONDS} seconds have passed since the first of
 * them, or others need their room ({@link WaitingMessages}). In the last two cases they leave as they came. A message that has
 * left is remembered for the rest of its time: later copies of its chunks are duplicates. One thread.
 */
public final class ChunkAssembler {
    /** How long chunks wait for others. */
    public static final int TIMEOUT_SECONDS = 5;

    /** The maximum number of chunks of a message. */
    public static final int MAX_CHUNKS = 128;

    /** The maximum number of messages that wait, and of those that are remembered. */
    public static final int MAX_MESSAGES = 4096;

    /** The maximum size of all chunks that wait, and of all that leave and are not yet written. */
    public static final long MAX_BYTES = 16 << 20;

    /** What to do with a datagram. */
    public enum Verdict {
        /** It is no chunk. */
        OTHER,
        /** It waits for the other chunks, or has completed its message. */
        TAKEN,
        /** It is a repeated chunk. */
        DUPLICATE,
        /** It cannot be merged, and stays as it is. */
        REJECTED
    }

    private static final int HEADER_BYTES = 12;
    private static final int INDEX = 10;
    private static final int COUNT = 11;
    private static final long TIMEOUT_NS = TIMEOUT_SECONDS * 1_000_000_000L;

    /** A message of a source; the input is part of it, because each has a time zone and a name of its own. */
    record Key(int input, long high, long low, int port, long id) {
        /** Random, so that no sender can choose ids or addresses with equal hashes. */
        static final long MULTIPLIER = new SecureRandom().nextLong() | 1;

        @Override
        public int hashCode() {
            long hash = (id * MULTIPLIER) ^ high;
            hash = (hash * MULTIPLIER) ^ low;
            hash = (hash * MULTIPLIER) ^ ((long) port << Byte.SIZE) ^ input;
            return (int) ((hash * MULTIPLIER) >>> Integer.SIZE);
        }
    }

    /** The chunks of a message: complete, or what there is of it. */
    public static final class Chunks {
        private final Key key;
        private final long deadlineNs;
        private final @Nullable DatagramView[] chunks;
        private final int[] checksums;
        private int present;
        private long bytes;
        private int payloadBytes;
        private boolean left;
        /** Its size for {@link WaitingMessages}. */
        long counted;

        private @Nullable DatagramView first;

        Chunks(Key key, int count, long deadlineNs) {
            this.key = key;
            this.deadlineNs = deadlineNs;
            this.chunks = new @Nullable DatagramView[count];
            this.checksums = new int[count];
        }

        Key key() {
            return key;
        }

        long bytes() {
            return bytes;
        }

        /** True if no chunk is missing. */
        public boolean isComplete() {
            return present == checksums.length;
        }

        /** The number of chunks that have arrived. */
        public int count() {
            return present;
        }

        /** The number of chunks of the message. */
        public int size() {
            return checksums.length;
        }

        /** A chunk as it came; null if it is missing. */
        public @Nullable DatagramView chunk(int index) {
            return chunks[index];
        }

        /** The length of the merged payload. */
        public int payloadBytes() {
            return payloadBytes;
        }

        /** When the first chunk was received. */
        public long receiveTimeNs() {
            return first().receiveTimeNs();
        }

        /** The source of the first chunk. */
        public FrameSource frameSource() {
            DatagramView from = first();
            return FrameSource.of(FrameTransport.UDP, from.input(), from.sourceAddress(), from.sourcePort());
        }

        private DatagramView first() {
            DatagramView found = first;
            if (found == null) {
                throw new IllegalStateException("no chunk has arrived");
            }
            return found;
        }

        /** Copies the merged payload. */
        public void copyPayload(byte[] to) {
            int length = 0;
            for (DatagramView chunk : chunks) {
                if (chunk != null) {
                    length += chunk.copyTail(HEADER_BYTES, to, length);
                }
            }
        }
    }

    private final int maxPayloadBytes;
    private final CRC32C crc = new CRC32C();
    private final WaitingMessages waiting = new WaitingMessages(MAX_BYTES, MAX_MESSAGES);

    /** Messages that have left, in that order. */
    private final Map<Key, Chunks> gone = new LinkedHashMap<>();

    private final ArrayDeque<Chunks> ready = new ArrayDeque<>();
    private byte[] payload = new byte[2048];
    private long bytes;
    private long leavingBytes;

    /**
     * Creates an assembler.
     *
     * @param maxPayloadBytes the longest message that can be stored
     */
    public ChunkAssembler(int maxPayloadBytes) {
        this.maxPayloadBytes = maxPayloadBytes;
    }

    /** Looks at a datagram, which is copied if it is taken. */
    public Verdict take(DatagramView datagram, long nowNs) {
        int length = datagram.payloadLength();
        if (length < 2 || datagram.payloadByte(0) != 0x1e || datagram.payloadByte(1) != 0x0f) {
            return Verdict.OTHER;
        }
        int index = length < HEADER_BYTES ? 0 : datagram.payloadByte(INDEX) & 0xff;
        int count = length < HEADER_BYTES ? 0 : datagram.payloadByte(COUNT) & 0xff;
        if (count == 0 || count > MAX_CHUNKS || index >= count || datagram.isTruncated()) {
            return Verdict.REJECTED;
        }
        if (leavingBytes >= MAX_BYTES) {
            return Verdict.REJECTED;
        }
        expire(nowNs);
        Key key = key(datagram);
        Chunks message = waiting.get(key);
        if (message == null) {
            Chunks left = gone.get(key);
            message = left != null && left.deadlineNs - nowNs > 0 ? left : null;
        }
        if (message == null) {
            message = new Chunks(key, count, nowNs + TIMEOUT_NS);
            waiting.add(message);
        }
        return message.size() == count ? add(message, datagram, index) : Verdict.REJECTED;
    }

    private static Key key(DatagramView datagram) {
        long id = 0;
        for (int i = 2; i < INDEX; i++) {
            id = (id << 8) | (datagram.payloadByte(i) & 0xff);
        }
        return new Key(datagram.input(), datagram.sourceHigh(), datagram.sourceLow(), datagram.sourcePort(), id);
    }

    private Verdict add(Chunks message, DatagramView datagram, int index) {
        int checksum = checksum(datagram);
        if (message.checksums[index] != 0) {
            // Another content with the same index is no copy.
            return message.checksums[index] == checksum ? Verdict.DUPLICATE : Verdict.REJECTED;
        }
        if (message.left) {
            return Verdict.REJECTED;
        }
        int frameBytes = datagram.frameBytes();
        int payloadBytes = message.payloadBytes + datagram.payloadLength() - HEADER_BYTES;
        if (payloadBytes > maxPayloadBytes) {
            leave(message);
            return Verdict.REJECTED;
        }
        DatagramView copy = datagram.copy();
        message.first = message.first == null ? copy : message.first;
        message.chunks[index] = copy;
        message.checksums[index] = checksum;
        message.payloadBytes = payloadBytes;
        message.bytes += frameBytes;
        message.present++;
        bytes += frameBytes;
        waiting.grown(message);
        if (message.isComplete()) {
            leave(message);
        }
        while (waiting.isOverfull()) {
            leave(waiting.firstToLeave());
        }
        return Verdict.TAKEN;
    }

    /** A checksum of the payload, which is not 0. */
    private int checksum(DatagramView datagram) {
        int length = datagram.payloadLength();
        if (payload.length < length) {
            payload = new byte[Math.max(length, 2 * payload.length)];
        }
        datagram.copyPayload(payload, 0);
        crc.reset();
        crc.update(payload, 0, length);
        return (int) crc.getValue() | 1;
    }

    /** The message waits no longer. Its checksums stay until its time is over, or many others have left after it. */
    private void leave(Chunks message) {
        waiting.remove(message);
        message.left = true;
        if (message.present > 0) {
            ready.add(message);
            leavingBytes += message.bytes;
        }
        if (gone.size() >= MAX_MESSAGES) {
            gone.remove(gone.keySet().iterator().next());
        }
        gone.put(message.key, message);
    }

    /** Lets messages leave whose time is over, and forgets those that have left. */
    public void expire(long nowNs) {
        Iterator<Chunks> remembered = gone.values().iterator();
        while (remembered.hasNext() && remembered.next().deadlineNs - nowNs <= 0) {
            remembered.remove();
        }
        for (Chunks oldest = waiting.oldest();
                oldest != null && oldest.deadlineNs - nowNs <= 0;
                oldest = waiting.oldest()) {
            leave(oldest);
        }
    }

    /** Lets all messages leave that wait. */
    public void releaseAll() {
        for (Chunks oldest = waiting.oldest(); oldest != null; oldest = waiting.oldest()) {
            leave(oldest);
        }
    }

    /** The message that leaves next, which stays until {@link #written()}; null if there is none. */
    public @Nullable Chunks next() {
        return ready.peek();
    }

    /** Removes the message that {@link #next()} returned, and releases its memory. */
    public void written() {
        Chunks message = ready.remove();
        bytes -= message.bytes;
        leavingBytes -= message.bytes;
        Arrays.fill(message.chunks, null);
        message.first = null;
    }

    /** True if chunks wait, or a message leaves. */
    public boolean isHolding() {
        return waiting.oldest() != null || !ready.isEmpty();
    }

    /** The size of all chunks that wait or leave. */
    public long bytes() {
        return bytes;
    }
}
