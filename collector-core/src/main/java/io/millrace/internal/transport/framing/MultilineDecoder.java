package io.millrace.internal.transport.framing;

import io.millrace.collector.Multiline;
import io.millrace.internal.record.FrameWriter;
import java.nio.ByteBuffer;

/**
 * Takes a stream of lines apart into messages of one or more lines. A line that begins no message belongs to the one before, joined by a
 * line feed. Carriage returns before line feeds are removed. What is kept is
 *
 * <pre>
 * | lines of the message | line feed | line that is not complete |
 * </pre>
 *
 * A message is passed on when the next one begins, when the next line would make it longer than the limit, after its timeout, and at the
 * end of the stream. One thread.
 */
public final class MultilineDecoder extends StreamDecoder {
    private static final byte LF = '\n';
    private static final byte CR = '\r';

    private final Multiline multiline;
    private final int maxMessage;

    /** True if there are complete lines. */
    private boolean hasMessage;

    private int messageLength;
    private boolean isMessageTruncated;
    private int lineFrom;
    private boolean isLineTruncated;

    /**
     * Makes a decoder at the beginning of a stream.
     *
     * @param maxMessage the longest message to keep, in bytes; the rest of a longer line is skipped
     */
    public MultilineDecoder(Multiline multiline, int maxMessage, RemainderPool pool, FramingCounts counts) {
        super(pool, counts);
        this.multiline = multiline;
        this.maxMessage = maxMessage;
    }

    @Override
    public int take(ByteBuffer memory, int from, int to, FrameSink sink) {
        beginPiece(from);
        int at = from;
        while (at < to) {
            int end = ByteSearch.find(memory, at, to, LF);
            keepLine(memory, at, end < 0 ? to : end);
            if (end < 0) {
                return to;
            }
            if (!endLine(sink)) {
                // The line stays, and its line feed is taken again.
                return end;
            }
            if (hasMessage) {
                keep(memory, end, end + 1);
            } else {
                counts.framingBytes++;
            }
            lineFrom = keptLength;
            at = end + 1;
        }
        return at;
    }

    /** Keeps a part of a line, with a byte more than the limit: it may be a carriage return. */
    private void keepLine(ByteBuffer memory, int at, int to) {
        int taken = Math.min(to - at, Math.max(0, maxMessage + 1 - (keptLength - lineFrom)));
        if (taken > 0) {
            keep(memory, at, at + taken);
        }
        isLineTruncated |= taken < to - at;
        counts.skippedBytes += to - at - taken;
    }

    /** A line is complete; false, without a change, if the sink has no room for the message before it. */
    private boolean endLine(FrameSink sink) {
        boolean cut = !isLineTruncated && keptLength > lineFrom && kept.get(keptLength - 1) == CR;
        int length = keptLength - lineFrom - (cut ? 1 : 0);
        if (hasMessage && isEndedBy(length) && !passMessage(0, sink)) {
            return false;
        }
        int beyond = Math.max(0, length - maxMessage);
        counts.framingBytes += cut ? 1 : 0;
        counts.skippedBytes += beyond;
        keptLength -= beyond + (cut ? 1 : 0);
        isMessageTruncated |= isLineTruncated || beyond > 0;
        isLineTruncated = false;
        // Empty lines before a message are none.
        hasMessage |= keptLength > 0;
        messageLength = keptLength;
        if (keptLength == 0) {
            forget();
        }
        return true;
    }

    @SuppressWarnings("ByteBufferBackingArray") // The pool's buffers have one.
    private boolean isEndedBy(int lineLength) {
        if (messageLength + 1 + lineLength > maxMessage) {
            return true;
        }
        int begin = kept.arrayOffset() + lineFrom;
        return lineLength > 0 && multiline.begins(kept.array(), begin, begin + lineLength);
    }

    private boolean passMessage(int cut, FrameSink sink) {
        int marks = cut | (isMessageTruncated ? FrameWriter.TRUNCATED : 0);
        int original = isMessageTruncated ? 0 : messageLength;
        if (!pass(RemainderPool.NONE, 0, messageLength, original, marks, sink)) {
            return false;
        }
        if (keptLength > 0) {
            counts.framingBytes++;
            remove(1);
        }
        hasMessage = false;
        isMessageTruncated = false;
        messageLength = 0;
        lineFrom = 0;
        return true;
    }

    @Override
    public boolean settle(FrameSink sink) {
        return hasMessage && passMessage(0, sink);
    }

    @Override
    public long settleNs() {
        return multiline.timeout().toNanos();
    }

    @Override
    public boolean end(FrameSink sink) {
        if (keptLength > lineFrom) {
            if (!endLine(sink)) {
                return false;
            }
            lineFrom = keptLength;
        }
        return !hasMessage || passMessage(isCut ? FrameWriter.INCOMPLETE : 0, sink);
    }

    @Override
    public void abandon() {
        super.abandon();
        hasMessage = false;
        isMessageTruncated = false;
        isLineTruncated = false;
        messageLength = 0;
        lineFrom = 0;
    }

    @Override
    public boolean isBroken() {
        return false;
    }

    @Override
    protected int maxKept() {
        return 2 * maxMessage + 4;
    }
}
