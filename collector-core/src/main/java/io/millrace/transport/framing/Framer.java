package io.millrace.transport.framing;

import io.millrace.record.BatchWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Splits a stream of bytes into messages (RFC 6587). It gets the bytes as they are read, in pieces of any length, and what it
 * finds does not depend on where the pieces end. A message within one piece is passed on without a copy. Only the beginning of an
 * incomplete message is copied: up to {@code maxMessage} bytes and one, for the carriage return at which a line may end.
 *
 * <p>Every byte is counted once: as payload, as framing (counts, line ends, empty messages), or as skipped (what a message has beyond
 * {@code maxMessage}, and what cannot be understood). One thread.
 */
public final class Framer extends StreamDecoder {
    /** Counts up to 999,999,999 are taken; whoever announces more does not speak this protocol. */
    static final int MAX_COUNT = 999_999_999;

    /** Leading zeros included. More digits are no count. */
    private static final int MAX_COUNT_DIGITS = 16;

    private static final byte LF = '\n';
    private static final byte NUL = 0;
    private static final byte CR = '\r';

    /** What the next byte belongs to. */
    private enum State {
        /** A new message. */
        START,
        /** What may be an octet count; the beginning of it is kept. */
        HEADER,
        /** A message up to its end mark; the beginning of it may be kept. */
        LINE,
        /** A message whose length was announced; the beginning of it may be kept. */
        COUNTED,
        /** The rest of a line that is too long. */
        SKIP_LINE,
        /** The rest of a message whose announced length is too long. */
        SKIP_COUNTED,
        /** A count is missing, so the start of the next message is unknown. */
        BROKEN
    }

    private final Framing framing;
    private int maxMessage;

    private State state = State.START;
    /** The announced length in state COUNTED, and what is left to skip in SKIP_COUNTED. */
    private int counted;

    /**
     * Makes a framer at the beginning of a stream.
     *
     * @param maxMessage the longest message to keep, in bytes; the rest of a longer one is skipped
     */
    public Framer(Framing framing, int maxMessage, RemainderPool pool, FramingCounts counts) {
        super(pool, counts);
        this.framing = framing;
        this.maxMessage = maxMessage;
    }

    @Override
    public int take(ByteBuffer memory, int from, int to, FrameSink sink) {
        int at = from;
        while (at < to) {
            int next = switch (state) {
                case START -> start(memory, at, to, sink);
                case HEADER -> header(memory, at, to);
                case LINE -> line(memory, at, to, sink);
                case COUNTED -> counted(memory, at, to, sink);
                case SKIP_LINE -> skipLine(memory, at, to);
                case SKIP_COUNTED -> skipCounted(at, to);
                case BROKEN -> skip(at, to);
            };
            if (next == NO_ROOM) {
                return at;
            }
            at = next;
        }
        return at;
    }

    private int start(ByteBuffer memory, int at, int to, FrameSink sink) {
        byte first = memory.get(at);
        if (isDigit(first) && (framing == Framing.AUTO || framing == Framing.OCTET_COUNTING)) {
            return header(memory, at, to);
        }
        if (framing != Framing.OCTET_COUNTING) {
            return line(memory, at, to, sink);
        }
        if (first == LF || first == CR) {
            // Some senders end counted messages with a line feed that they do not count.
            counts.framingBytes++;
            return at + 1;
        }
        return broken(at);
    }

    private int broken(int at) {
        counts.errors++;
        abandon();
        return at;
    }

    /** What is kept, and the piece after it, may begin with a count. */
    private int header(ByteBuffer memory, int at, int to) {
        int available = keptLength + to - at;
        long value = 0;
        int digits = 0;
        while (digits < available && isDigit(byteAt(digits, memory, at))) {
            if (digits == MAX_COUNT_DIGITS) {
                return notCounted(at);
            }
            value = value * 10 + byteAt(digits, memory, at) - '0';
            digits++;
        }
        // In a stream of both kinds, only what cannot be the beginning of a line is a count.
        int needed = framing == Framing.AUTO ? digits + 2 : digits + 1;
        if (digits < available && byteAt(digits, memory, at) != ' ') {
            return notCounted(at);
        }
        if (available < needed) {
            keep(memory, at, to);
            state = State.HEADER;
            return to;
        }
        if (framing == Framing.AUTO && byteAt(digits + 1, memory, at) != '<') {
            return notCounted(at);
        }
        if (value > MAX_COUNT) {
            counts.errors += framing == Framing.AUTO ? 1 : 0;
            return notCounted(at);
        }
        counts.errors += byteAt(0, memory, at) == '0' ? 1 : 0;
        counts.framingBytes += digits + 1;
        int next = at + digits + 1 - keptLength;
        forget();
        counted = (int) value;
        state = value == 0 ? State.START : State.COUNTED;
        return next;
    }

    private int notCounted(int at) {
        if (framing == Framing.OCTET_COUNTING) {
            return broken(at);
        }
        state = State.LINE;
        return at;
    }

    private byte byteAt(int index, ByteBuffer memory, int at) {
        return index < keptLength ? kept.get(index) : memory.get(at + index - keptLength);
    }

    private int line(ByteBuffer memory, int at, int to, FrameSink sink) {
        int end = findEnd(memory, at, to);
        if (end >= 0) {
            return endLine(memory, at, end, 1, sink) ? end + 1 : NO_ROOM;
        }
        int length = keptLength + to - at;
        boolean tooLong =
                length > maxMessage && (length > maxMessage + 1 || !mayEndLine(byteAt(length - 1, memory, at)));
        if (!tooLong) {
            keep(memory, at, to);
            state = State.LINE;
            return to;
        }
        if (!pass(memory, at, maxMessage, 0, BatchWriter.TRUNCATED, sink)) {
            return NO_ROOM;
        }
        counts.skippedBytes += length - maxMessage;
        state = State.SKIP_LINE;
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
    private boolean endLine(ByteBuffer memory, int at, int end, int markBytes, FrameSink sink) {
        int length = keptLength + end - at;
        int cut = length > 0 && mayEndLine(byteAt(length - 1, memory, at)) ? 1 : 0;
        if (length - cut > maxMessage) {
            if (!pass(memory, at, maxMessage, 0, BatchWriter.TRUNCATED, sink)) {
                return false;
            }
            counts.skippedBytes += length - maxMessage;
            counts.framingBytes += markBytes;
        } else {
            if (length > cut && !pass(memory, at, length - cut, length - cut, 0, sink)) {
                return false;
            }
            forget();
            counts.framingBytes += cut + markBytes;
        }
        state = State.START;
        return true;
    }

    private int counted(ByteBuffer memory, int at, int to, FrameSink sink) {
        int stored = Math.min(counted, maxMessage);
        int available = Math.min(stored - keptLength, to - at);
        if (keptLength + available < stored) {
            keep(memory, at, to);
            return to;
        }
        if (!pass(memory, at, stored, counted, stored < counted ? BatchWriter.TRUNCATED : 0, sink)) {
            return NO_ROOM;
        }
        counted -= stored;
        state = counted > 0 ? State.SKIP_COUNTED : State.START;
        return at + available;
    }

    private int skipLine(ByteBuffer memory, int at, int to) {
        int end = findEnd(memory, at, to);
        if (end < 0) {
            return skip(at, to);
        }
        counts.framingBytes++;
        state = State.START;
        return skip(at, end) + 1;
    }

    private int skipCounted(int at, int to) {
        int bytes = Math.min(counted, to - at);
        counted -= bytes;
        if (counted == 0) {
            state = State.START;
        }
        return skip(at, at + bytes);
    }

    /** A line without an end mark is a message. A message that is shorter than announced is marked as incomplete. */
    @Override
    public boolean end(FrameSink sink) {
        boolean ended = true;
        switch (state) {
            case LINE -> ended = endLine(RemainderPool.NONE, 0, 0, 0, sink);
            case HEADER -> {
                if (framing == Framing.AUTO) {
                    ended = endLine(RemainderPool.NONE, 0, 0, 0, sink);
                } else {
                    var unused = broken(0);
                }
            }
            case COUNTED ->
                ended = keptLength == 0
                        || pass(RemainderPool.NONE, 0, keptLength, counted, BatchWriter.INCOMPLETE, sink);
            case START, SKIP_LINE, SKIP_COUNTED, BROKEN -> {}
        }
        if (ended && state != State.BROKEN) {
            state = State.START;
        }
        return ended;
    }

    /** Writes its state for another process and releases its memory; returns the number of {@link #pending} bytes. */
    @SuppressWarnings("EnumOrdinal") // Both processes have the same version of the handoff.
    public int save(DataOutputStream out) throws IOException {
        byte[] bytes = new byte[keptLength];
        kept.get(0, bytes);
        out.writeByte(state.ordinal());
        out.writeInt(counted);
        out.writeInt(bytes.length);
        out.write(bytes);
        forget();
        state = State.BROKEN;
        return bytes.length;
    }

    /** Continues with the state of another process; returns the number of {@link #pending} bytes. */
    public int restore(DataInputStream in) throws IOException {
        State saved = State.values()[in.readUnsignedByte() % State.values().length];
        counted = in.readInt();
        byte[] bytes = in.readNBytes(in.readInt());
        boolean isMessage = saved == State.LINE || saved == State.COUNTED;
        // The limit of the other process may have been higher.
        maxMessage = isMessage ? Math.max(maxMessage, bytes.length - 1) : maxMessage;
        if (bytes.length > 0) {
            keep(ByteBuffer.wrap(bytes), 0, bytes.length);
        }
        boolean hasCounts = framing == Framing.AUTO || framing == Framing.OCTET_COUNTING;
        state = saved == State.HEADER && !hasCounts ? State.LINE : saved;
        return bytes.length;
    }

    @Override
    public void abandon() {
        super.abandon();
        state = State.BROKEN;
    }

    @Override
    protected int maxKept() {
        return maxMessage + 1;
    }

    @Override
    public boolean isBroken() {
        return state == State.BROKEN;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
