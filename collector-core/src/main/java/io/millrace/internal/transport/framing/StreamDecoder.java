package io.millrace.internal.transport.framing;

import io.millrace.internal.record.FrameWriter;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Takes a stream of bytes apart into messages. It gets the bytes as they are read, in pieces of any length; what it finds does not
 * depend on where the pieces end. A message within one piece is passed on without a copy; the first bytes of an incomplete one are kept.
 * Every byte is counted once, in its {@link FramingCounts}. One thread.
 */
public abstract class StreamDecoder {
    /** The result of a step that needs room in the sink. */
    protected static final int NO_ROOM = -1;

    private static final long SETTLE_NS = 1_000_000_000;

    protected final RemainderPool pool;
    protected final FramingCounts counts;
    /** The first bytes of an incomplete message. */
    protected ByteBuffer kept = RemainderPool.NONE;

    protected int keptLength;
    protected boolean isCut;
    /** The bytes of all messages that were passed on. */
    protected long passedBytes;

    private int pieceFrom;
    private @Nullable String error;

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

    /**
     * Nothing was read for a while: passes on a message that is complete, and waits for what comes after it.
     *
     * @return false if the sink has no room: to be called again
     */
    public boolean settle(FrameSink sink) {
        return true;
    }

    /** How long nothing must be read before {@link #settle}. */
    public long settleNs() {
        return SETTLE_NS;
    }

    /** The stream will be ended here, not by its sender: a message that is not complete then is marked as incomplete. */
    public final void cut() {
        isCut = true;
    }

    /** Discards the rest and counts it as skipped, for a connection that ends without anybody to take it. */
    public void abandon() {
        counts.skippedBytes += keptLength;
        forget();
    }

    /** Bytes that were taken and belong to a message that is not complete: they are in no count yet. */
    public int pending() {
        return keptLength;
    }

    /** Memory that is kept for them. */
    public int memoryBytes() {
        return kept.capacity();
    }

    /** The first error since the last call, with the bytes around it; null if there was none. */
    public final @Nullable String takeError() {
        String found = error;
        error = null;
        return found;
    }

    /** Takes note of where a piece begins: an error shows no bytes before it. */
    protected final void beginPiece(int from) {
        pieceFrom = from;
    }

    /** Counts an error, at an index of the piece. */
    protected final void error(String reason, ByteBuffer memory, int at, int to) {
        counts.errors++;
        if (error == null) {
            error = reason + ": after '"
                    + ErrorBytes.text(memory, Math.max(pieceFrom, at - ErrorBytes.MAX_BYTES), at) + "' comes '"
                    + ErrorBytes.text(kept, 0, Math.min(keptLength, ErrorBytes.MAX_BYTES))
                    + ErrorBytes.text(memory, at, Math.min(to, at + ErrorBytes.MAX_BYTES)) + "'";
        }
    }

    protected final int skip(int at, int to) {
        counts.skippedBytes += to - at;
        return to;
    }

    /** Passes on a message without a prefix. */
    protected final boolean pass(ByteBuffer memory, int at, int length, int originalLength, int marks, FrameSink sink) {
        return pass(memory, at, 0, length, originalLength, marks, sink);
    }

    /**
     * Passes on what is kept and, of the piece after it, as much as the length takes. What was passed on is not kept any more; if the
     * sink has no room it stays as it was.
     *
     * @param prefix bytes before the message, which are not passed on
     */
    protected final boolean pass(
            ByteBuffer memory, int at, int prefix, int length, int originalLength, int marks, FrameSink sink) {
        boolean taken;
        int end = prefix + length;
        if (keptLength == 0) {
            taken = sink.take(memory, at + prefix, length, originalLength, marks);
        } else {
            int before = keptLength;
            keep(memory, at, at + Math.max(0, end - before));
            taken = sink.take(kept, prefix, length, originalLength, marks);
            keptLength = before;
        }
        if (taken) {
            remove(end);
            counts.messages++;
            counts.payloadBytes += length;
            passedBytes += length;
            counts.truncated += (marks & FrameWriter.TRUNCATED) != 0 ? 1 : 0;
            counts.incomplete += (marks & FrameWriter.INCOMPLETE) != 0 ? 1 : 0;
        }
        return taken;
    }

    /** Removes the first bytes that are kept. */
    protected final void remove(int bytes) {
        if (keptLength <= bytes) {
            forget();
        } else {
            kept.put(0, kept, bytes, keptLength - bytes);
            keptLength -= bytes;
        }
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

    /** Bytes of a peer as text for the log: printable ASCII, and all others as {@code \x0a}. */
    static final class ErrorBytes {
        /** How many bytes before and after an error are shown. */
        static final int MAX_BYTES = 24;

        private ErrorBytes() {}

        static String text(ByteBuffer memory, int from, int to) {
            StringBuilder text = new StringBuilder();
            for (int i = from; i < to; i++) {
                int b = memory.get(i) & 0xff;
                if (b >= ' ' && b < 0x7f && b != '\\') {
                    text.append((char) b);
                } else {
                    text.append(String.format(Locale.ROOT, "\\x%02x", b));
                }
            }
            return text.toString();
        }
    }
}
