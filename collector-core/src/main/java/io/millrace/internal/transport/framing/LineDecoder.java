package io.millrace.internal.transport.framing;

import io.millrace.collector.StreamSettings.Framing;
import io.millrace.internal.record.FrameWriter;
import java.nio.ByteBuffer;

/** Decoder of text that ends at a mark: a line feed or a byte 0; after a wrong octet count, also where the next one may be. One thread. */
abstract class LineDecoder extends StreamDecoder {
    protected static final byte LF = '\n';
    protected static final byte NUL = 0;
    protected static final byte CR = '\r';
    protected static final int BYTE_ORDER_MARK_BYTES = 3;

    protected final Framing framing;
    /** The largest octet count that is believed. */
    protected final int maxCount;

    protected int maxMessage;
    protected FramerState state = FramerState.START;
    /** True if the last message was counted. */
    protected boolean afterCounted;

    private final Unit unit = new Unit();
    /** How much was searched for the next message after a wrong count. */
    private int searched;
    /** True if the last byte that was passed on is a digit, and more of the same text follows. */
    protected boolean afterDigit;

    LineDecoder(Framing framing, int maxMessage, int maxCount, RemainderPool pool, FramingCounts counts) {
        super(pool, counts);
        this.framing = framing;
        this.maxMessage = maxMessage;
        this.maxCount = maxCount;
    }

    /** What is kept, and a piece after it. */
    protected final Unit unit(ByteBuffer memory, int at) {
        return unit.of(kept, keptLength, memory, at);
    }

    protected final int line(ByteBuffer memory, int at, int to, FrameSink sink) {
        int end = findEnd(memory, at, to);
        if (end >= 0) {
            return endLine(memory, at, end, 1, 0, sink) ? end + 1 : NO_ROOM;
        }
        int length = keptLength + to - at;
        boolean tooLong = length > maxMessage
                && (length > maxMessage + 1 || !mayEndLine(unit(memory, at).get(length - 1)));
        if (!tooLong) {
            keep(memory, at, to);
            state = FramerState.LINE;
            return to;
        }
        if (!pass(memory, at, maxMessage, 0, FrameWriter.TRUNCATED, sink)) {
            return NO_ROOM;
        }
        counts.skippedBytes += length - maxMessage;
        forget();
        state = FramerState.SKIP_LINE;
        return to;
    }

    private int findEnd(ByteBuffer memory, int at, int to) {
        return switch (framing) {
            case AUTO -> ByteSearch.findLineEnd(memory, at, to);
            case NUL -> ByteSearch.find(memory, at, to, NUL);
            case NEWLINE, OCTET_COUNTING -> ByteSearch.find(memory, at, to, LF);
        };
    }

    private boolean mayEndLine(byte last) {
        return last == CR && framing != Framing.NUL;
    }

    /** The line ends here, with an end mark of so many bytes after it; false if the sink has no room. */
    protected final boolean endLine(ByteBuffer memory, int at, int end, int markBytes, int marks, FrameSink sink) {
        int length = keptLength + end - at;
        int cut = length > 0 && mayEndLine(unit(memory, at).get(length - 1)) ? 1 : 0;
        if (length - cut > maxMessage) {
            if (!pass(memory, at, maxMessage, 0, FrameWriter.TRUNCATED, sink)) {
                return false;
            }
            counts.skippedBytes += length - maxMessage;
            counts.framingBytes += markBytes;
        } else {
            if (length > cut && !pass(memory, at, length - cut, length - cut, marks, sink)) {
                return false;
            }
            counts.framingBytes += cut + markBytes;
        }
        forget();
        afterCounted = false;
        state = FramerState.START;
        return true;
    }

    protected final int skipLine(ByteBuffer memory, int at, int to) {
        int end = findEnd(memory, at, to);
        if (end < 0) {
            return skip(at, to);
        }
        counts.framingBytes++;
        state = FramerState.START;
        afterCounted = false;
        return skip(at, end) + 1;
    }

    /** Looks for the next message after a wrong count, and passes on the bytes before it. */
    protected final int resync(ByteBuffer memory, int at, int to, FrameSink sink) {
        int available = keptLength + to - at;
        Unit rest = unit(memory, at);
        int end = rest.nextStart(searched, afterDigit, available, maxCount);
        boolean isLong = end < 0 ? available >= maxMessage + Unit.MAX_START_BYTES : end > maxMessage;
        if (end < 0 && !isLong) {
            keep(memory, at, to);
            searched = available;
            return to;
        }
        int length = isLong ? maxMessage : end;
        boolean atCount = !isLong && Unit.isDigit(rest.get(end));
        int next = at + Math.max(0, length - keptLength);
        boolean cutAfterDigit = isLong && Unit.isDigit(rest.get(length - 1));
        if (length == BYTE_ORDER_MARK_BYTES && atCount && rest.isByteOrderMark(length)) {
            counts.framingBytes += length;
            remove(length);
        } else if (length > 0 && !pass(memory, at, length, length, FrameWriter.INCOMPLETE, sink)) {
            return NO_ROOM;
        }
        searched = 0;
        afterDigit = cutAfterDigit;
        state = isLong ? FramerState.RESYNC : atCount ? FramerState.HEADER : FramerState.START;
        return next;
    }

    /** The stream has ended within such bytes; false if the sink has no room. */
    protected final boolean endResync(FrameSink sink) {
        while (keptLength > 0) {
            int length = Math.min(keptLength, maxMessage);
            if (!pass(RemainderPool.NONE, 0, length, length, FrameWriter.INCOMPLETE, sink)) {
                return false;
            }
        }
        return true;
    }
}
