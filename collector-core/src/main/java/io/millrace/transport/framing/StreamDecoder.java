package io.millrace.transport.framing;

import io.millrace.record.BatchWriter;
import java.nio.ByteBuffer;

/**
 * Takes a stream of bytes apart into messages. It gets the bytes as they are read, in pieces of any length; what it finds does not
 * depend on where the pieces end. A message within one piece is passed on without a copy; the first bytes of an incomplete one are kept.
 * Every byte is counted once, in its {@link FramingCounts}. One thread.
 */
public abstract class StreamDecoder {
    /** The result of a step that needs room in the sink. */
    protected static final int NO_ROOM = -1;

    private final RemainderPool pool;
    protected final FramingCounts counts;
    /** The first bytes of an incomplete message. */
    protected ByteBuffer kept = RemainderPool.NONE;

    protected int keptLength;

    protected StreamDecoder(RemainderPool pool, FramingCounts counts) {
        this.pool = pool;
        this.counts = counts;
    }

    /**
     * Passes on the messages that end in a piece of the stream.
     *
     * @param memory holds the piece; its order is little-endian
     * @return how far the piece was taken: less than {@code to} if there was no room. The next call starts there
     */
    public abstract int take(ByteBuffer memory, int from, int to, FrameSink sink);

    /**
     * The stream has ended: passes on or counts the rest.
     *
     * @return false if the sink has no room: to be called again
     */
    public abstract boolean end(FrameSink sink);

    /** True if the start of the next message is unknown: the rest of the stream is skipped. */
    public abstract boolean isBroken();

    /** The most bytes that are ever kept. */
    protected abstract int maxKept();

    /** Gives up what is left, for a connection that ends without anybody to take it. */
    public void abandon() {
        counts.skippedBytes += keptLength;
        forget();
    }

    /** Bytes that were taken and belong to a message that is not complete: they are in no count yet. */
    public final int pending() {
        return keptLength;
    }

    /** Memory that is kept for them. */
    public final int memoryBytes() {
        return kept.capacity();
    }

    protected final int skip(int at, int to) {
        counts.skippedBytes += to - at;
        return to;
    }

    /**
     * Passes on what is kept and, of the piece after it, as much as the length takes. What was kept is forgotten then; if the sink
     * has no room it stays as it was.
     */
    protected final boolean pass(ByteBuffer memory, int at, int length, int originalLength, int marks, FrameSink sink) {
        boolean taken;
        if (keptLength == 0) {
            taken = sink.take(memory, at, length, originalLength, marks);
        } else {
            int before = keptLength;
            keep(memory, at, at + Math.max(0, length - keptLength));
            taken = sink.take(kept, 0, length, originalLength, marks);
            keptLength = before;
        }
        if (taken) {
            forget();
            counts.messages++;
            counts.payloadBytes += length;
            counts.truncated += (marks & BatchWriter.TRUNCATED) != 0 ? 1 : 0;
            counts.incomplete += (marks & BatchWriter.INCOMPLETE) != 0 ? 1 : 0;
        }
        return taken;
    }

    protected final void keep(ByteBuffer memory, int at, int to) {
        int length = keptLength + to - at;
        if (length > kept.capacity()) {
            ByteBuffer larger = pool.take(length, maxKept());
            larger.put(0, kept, 0, keptLength);
            pool.release(kept);
            kept = larger;
        }
        kept.put(keptLength, memory, at, to - at);
        keptLength = length;
    }

    protected final void forget() {
        if (kept.capacity() > 0) {
            pool.release(kept);
            kept = RemainderPool.NONE;
        }
        keptLength = 0;
    }
}
