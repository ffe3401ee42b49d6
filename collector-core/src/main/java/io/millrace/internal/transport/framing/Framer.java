package io.millrace.internal.transport.framing;

import io.millrace.collector.StreamSettings.Framing;
import io.millrace.internal.record.FrameWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Splits a stream of bytes into messages (RFC 6587). It gets the bytes as they are read, in pieces of any length, and what it
 * finds does not depend on where the pieces end. A message within one piece is passed on without a copy. Only the beginning of an
 * incomplete message is copied: its octet count, and up to {@code maxMessage} bytes and some, which tell where it ends.
 *
 * <p>Every byte is counted once: as payload, as framing (counts, line ends, empty messages), or as skipped (what a message has beyond
 * {@code maxMessage}, and what cannot be understood). One thread.
 *
 * <p><b>Wrong counts.</b> With {@link Framing#AUTO} a count is text of an untrusted sender, perhaps of one behind a relay. So it is
 * believed only up to {@link #MAX_AUTO_COUNT}, and a wrong one costs no message after it:
 *
 * <ul>
 *   <li>After a counted message, only a digit, {@code <}, a line end or the end of the stream may follow. Otherwise the count was wrong:
 *       the bytes up to the next line end, or up to the next count before a {@code <}, are a message that is marked as incomplete.
 *   <li>If an announced message has lines that begin with a priority, these may be other messages. Then it is passed on only once the byte
 *       after it is known, or nothing more was read for a while. If the count was wrong, its bytes are taken as lines.
 * </ul>
 */
public final class Framer extends LineDecoder {
    /** The largest count that {@link Framing#OCTET_COUNTING} takes. */
    static final int MAX_COUNT = 16 << 20;

    /** The largest count that {@link Framing#AUTO} takes: the default limit of rsyslog's receiver. */
    static final int MAX_AUTO_COUNT = 200_000;

    /** The announced length in state COUNTED, and the length of the rest in SKIP_COUNTED. */
    private int counted;
    /** The length of the count and its space, in state COUNTED. */
    private int headerBytes;
    /** True if the announced message has lines that begin with a priority. */
    private boolean holdsLines;
    /** So many bytes have to be passed on before a count is believed whose message has such lines. */
    private long distrustedUntil;
    /** What a wrong count had announced, to be taken as lines. */
    private final Replay replay = new Replay();

    /**
     * Makes a framer at the beginning of a stream.
     *
     * @param maxMessage the longest message to keep, in bytes; the rest of a longer one is skipped
     */
    public Framer(Framing framing, int maxMessage, RemainderPool pool, FramingCounts counts) {
        super(framing, maxMessage, framing == Framing.AUTO ? MAX_AUTO_COUNT : MAX_COUNT, pool, counts);
        this.state = hasCounts() ? FramerState.BEGIN : FramerState.START;
    }

    private boolean hasCounts() {
        return framing == Framing.AUTO || framing == Framing.OCTET_COUNTING;
    }

    @Override
    public int take(ByteBuffer memory, int from, int to, FrameSink sink) {
        beginPiece(from);
        int at = from;
        while (at < to) {
            if (!takeReplay(sink)) {
                return at;
            }
            int next = step(memory, at, to, sink);
            if (next == NO_ROOM) {
                return at;
            }
            at = next;
        }
        return at;
    }

    /** Takes what a wrong count had announced; false if there is no room. */
    private boolean takeReplay(FrameSink sink) {
        while (replay.length() > 0) {
            int next = step(replay.memory, replay.from, replay.to(), sink);
            if (next == NO_ROOM) {
                return false;
            }
            replay.from = next;
        }
        replay.clear(pool);
        return true;
    }

    private int step(ByteBuffer memory, int at, int to, FrameSink sink) {
        return switch (state) {
            case BEGIN -> begin(memory, at, to);
            case START -> start(memory, at, to, sink);
            case HEADER -> header(memory, at, to);
            case LINE -> line(memory, at, to, sink);
            case COUNTED -> counted(memory, at, to, sink);
            case RESYNC -> resync(memory, at, to, sink);
            case SKIP_LINE -> skipLine(memory, at, to);
            case SKIP_COUNTED -> skipCounted(at, to);
            case BROKEN -> skip(at, to);
        };
    }

    /** Removes a byte order mark before a count: some senders begin with one. */
    private int begin(ByteBuffer memory, int at, int to) {
        int available = keptLength + to - at;
        Unit begin = unit(memory, at);
        boolean mayBeMark = begin.isByteOrderMark(Math.min(available, BYTE_ORDER_MARK_BYTES));
        if (mayBeMark && available <= BYTE_ORDER_MARK_BYTES) {
            keep(memory, at, to);
            return to;
        }
        boolean isMark = mayBeMark && Unit.isDigit(begin.get(BYTE_ORDER_MARK_BYTES));
        if (isMark) {
            counts.framingBytes += BYTE_ORDER_MARK_BYTES;
            int next = at + Math.max(0, BYTE_ORDER_MARK_BYTES - keptLength);
            remove(BYTE_ORDER_MARK_BYTES);
            state = FramerState.START;
            return next;
        }
        if (keptLength == 0) {
            state = FramerState.START;
        } else if (framing == Framing.OCTET_COUNTING) {
            return broken(memory, at, to);
        } else {
            state = FramerState.LINE;
        }
        return at;
    }

    private int start(ByteBuffer memory, int at, int to, FrameSink sink) {
        byte first = memory.get(at);
        if (Unit.isDigit(first) && hasCounts()) {
            return header(memory, at, to);
        }
        boolean isLineEnd = first == LF || first == CR;
        if (framing == Framing.OCTET_COUNTING && !isLineEnd) {
            return broken(memory, at, to);
        }
        if (isLineEnd && (framing == Framing.OCTET_COUNTING || afterCounted)) {
            // Some senders end counted messages with a line feed that they do not count.
            counts.framingBytes++;
            return at + 1;
        }
        if (afterCounted && first != '<' && first != NUL) {
            error("the octet count before is wrong", memory, at, to);
            state = FramerState.RESYNC;
            return resync(memory, at, to, sink);
        }
        return line(memory, at, to, sink);
    }

    private int broken(ByteBuffer memory, int at, int to) {
        error("there is no octet count", memory, at, to);
        abandon();
        return at;
    }

    /** What is kept, and the piece after it, may begin with a count. */
    private int header(ByteBuffer memory, int at, int to) {
        int available = keptLength + to - at;
        Unit header = unit(memory, at);
        int digits = header.digits(0, available);
        // In a stream of both kinds, only what cannot be the beginning of a line is a count.
        int needed = framing == Framing.AUTO ? digits + 2 : digits + 1;
        if (digits > Unit.MAX_COUNT_DIGITS || (digits < available && header.get(digits) != ' ')) {
            return notCounted("there is no octet count", false, memory, at, to);
        }
        if (available < needed) {
            keep(memory, at, to);
            state = FramerState.HEADER;
            return to;
        }
        if (framing == Framing.AUTO && header.get(digits + 1) != '<') {
            return notCounted("there is no octet count", false, memory, at, to);
        }
        long value = header.number(0, digits);
        if (value > maxCount) {
            return notCounted("the octet count is above " + maxCount, true, memory, at, to);
        }
        if (header.get(0) == '0') {
            error("the octet count begins with 0", memory, at, to);
        }
        if (value == 0) {
            counts.framingBytes += digits + 1;
            int next = at + Math.max(0, digits + 1 - keptLength);
            remove(digits + 1);
            state = FramerState.START;
            return next;
        }
        counted = (int) value;
        headerBytes = digits + 1;
        holdsLines = false;
        state = FramerState.COUNTED;
        return at;
    }

    private int notCounted(String reason, boolean isError, ByteBuffer memory, int at, int to) {
        if (framing == Framing.OCTET_COUNTING) {
            return broken(memory, at, to);
        }
        if (isError || afterCounted) {
            error(afterCounted ? "the octet count before is wrong" : reason, memory, at, to);
        }
        state = afterCounted ? FramerState.RESYNC : FramerState.LINE;
        return at;
    }

    private int counted(ByteBuffer memory, int at, int to, FrameSink sink) {
        int stored = Math.min(counted, maxMessage);
        int end = headerBytes + stored;
        int available = keptLength + to - at;
        Unit message = unit(memory, at);
        int searchFrom = Math.max(headerBytes, keptLength - Unit.MAX_START_BYTES);
        holdsLines |= framing == Framing.AUTO && message.holdsLines(searchFrom, Math.min(end, available));
        int whole = headerBytes + counted;
        boolean isLines = holdsLines
                && (passedBytes < distrustedUntil || (available > whole && !Unit.mayBegin(message.get(whole))));
        if (isLines) {
            notBelieved(memory, at, to);
            return at;
        }
        // With lines in it, it waits for the byte after it.
        if (available < end || (holdsLines && available <= whole)) {
            keep(memory, at, to);
            return to;
        }
        int before = keptLength;
        return passCounted(memory, at, sink) ? at + Math.max(0, end - before) : NO_ROOM;
    }

    private boolean passCounted(ByteBuffer memory, int at, FrameSink sink) {
        int stored = Math.min(counted, maxMessage);
        int marks = stored < counted ? FrameWriter.TRUNCATED : 0;
        if (!pass(memory, at, headerBytes, stored, counted, marks, sink)) {
            return false;
        }
        counts.framingBytes += headerBytes;
        // More of it is kept if it waited.
        int beyond = Math.min(keptLength, counted - stored);
        counts.skippedBytes += beyond;
        remove(beyond);
        counted -= stored + beyond;
        afterCounted = framing == Framing.AUTO;
        state = counted > 0 ? FramerState.SKIP_COUNTED : FramerState.START;
        return true;
    }

    /** The count was not one: what it announced is lines, the first of which begins with it. */
    private void notBelieved(ByteBuffer memory, int at, int to) {
        error("the octet count is followed by lines", memory, at, to);
        // To wait again for as much, and to take it again, must not cost more than what was received since.
        distrustedUntil = passedBytes + counted;
        afterCounted = false;
        if (keptLength > 0) {
            replay.set(kept, 0, keptLength);
            kept = RemainderPool.NONE;
            keptLength = 0;
        }
        state = FramerState.LINE;
    }

    private int skipCounted(int at, int to) {
        int bytes = Math.min(counted, to - at);
        counted -= bytes;
        if (counted == 0) {
            state = FramerState.START;
        }
        return skip(at, at + bytes);
    }

    @Override
    public boolean settle(FrameSink sink) {
        // Lines that are taken again may begin with a count, too.
        while (takeReplay(sink)) {
            if (state != FramerState.COUNTED || !holdsLines) {
                return true;
            }
            if (keptLength < headerBytes + counted) {
                // A counted message comes at once.
                notBelieved(RemainderPool.NONE, 0, 0);
            } else if (!passCounted(RemainderPool.NONE, 0, sink)) {
                return false;
            }
        }
        return false;
    }

    /** A line without an end mark is a message. A message that is shorter than announced is marked as incomplete. */
    @Override
    public boolean end(FrameSink sink) {
        if (!settle(sink)) {
            return false;
        }
        boolean ended = true;
        switch (state) {
            case LINE -> ended = endLine(RemainderPool.NONE, 0, 0, 0, isCut ? FrameWriter.INCOMPLETE : 0, sink);
            case RESYNC -> ended = endResync(sink);
            case HEADER, BEGIN -> {
                if (framing == Framing.AUTO) {
                    ended = endLine(RemainderPool.NONE, 0, 0, 0, isCut ? FrameWriter.INCOMPLETE : 0, sink);
                } else if (keptLength > 0) {
                    var unused = broken(RemainderPool.NONE, 0, 0);
                }
            }
            case COUNTED -> ended = passRest(headerBytes, counted, sink);
            case START, SKIP_LINE, SKIP_COUNTED, BROKEN -> {}
        }
        if (ended && state != FramerState.BROKEN) {
            state = FramerState.START;
        }
        return ended;
    }

    private boolean passRest(int header, int originalLength, FrameSink sink) {
        int length = keptLength - header;
        if (length > 0 && !pass(RemainderPool.NONE, 0, header, length, originalLength, FrameWriter.INCOMPLETE, sink)) {
            return false;
        }
        counts.framingBytes += length > 0 ? header : keptLength;
        forget();
        return true;
    }

    /** Writes its state for another process and releases its memory; returns the number of {@link #pending} bytes. */
    @SuppressWarnings("EnumOrdinal") // Both processes have the same version of the handoff.
    public int save(DataOutputStream out) throws IOException {
        byte[] bytes = new byte[pending()];
        kept.get(0, bytes, 0, keptLength);
        replay.memory.get(replay.from, bytes, keptLength, replay.length());
        out.writeByte(state.ordinal());
        out.writeInt(counted);
        out.writeInt(headerBytes);
        out.writeBoolean(afterCounted);
        out.writeBoolean(afterDigit);
        out.writeBoolean(holdsLines);
        out.writeLong(distrustedUntil - passedBytes);
        out.writeInt(keptLength);
        out.writeInt(bytes.length);
        out.write(bytes);
        forget();
        replay.clear(pool);
        state = FramerState.BROKEN;
        return bytes.length;
    }

    /** Continues with the state of another process; returns the number of {@link #pending} bytes. */
    @SuppressWarnings("EnumOrdinal")
    public int restore(DataInputStream in) throws IOException {
        FramerState saved = FramerState.values()[in.readUnsignedByte() % FramerState.values().length];
        counted = in.readInt();
        headerBytes = in.readInt();
        afterCounted = in.readBoolean();
        afterDigit = in.readBoolean();
        holdsLines = in.readBoolean();
        distrustedUntil = in.readLong();
        int keptBytes = in.readInt();
        byte[] bytes = in.readNBytes(in.readInt());
        // The limit of the other process may have been higher. A counted message is kept as it was announced.
        int beyond = saved == FramerState.LINE ? 1 : saved == FramerState.COUNTED ? keptBytes : Unit.MAX_START_BYTES;
        maxMessage = Math.max(maxMessage, keptBytes - beyond);
        if (keptBytes > 0) {
            keep(ByteBuffer.wrap(bytes), 0, keptBytes);
        }
        if (bytes.length > keptBytes) {
            ByteBuffer rest = pool.take(bytes.length, bytes.length);
            replay.set(rest.put(0, bytes), keptBytes, bytes.length);
        }
        state = saved == FramerState.HEADER && !hasCounts() ? FramerState.LINE : saved;
        return bytes.length;
    }

    @Override
    public void abandon() {
        counts.skippedBytes += replay.length();
        replay.clear(pool);
        super.abandon();
        state = FramerState.BROKEN;
    }

    @Override
    public int memoryBytes() {
        return super.memoryBytes() + replay.memory.capacity();
    }

    @Override
    public int pending() {
        return super.pending() + replay.length();
    }

    @Override
    protected int maxKept() {
        boolean waits = state == FramerState.COUNTED && holdsLines;
        return Math.max(maxMessage, waits ? counted : 0) + Unit.MAX_START_BYTES;
    }

    @Override
    public boolean isBroken() {
        return state == FramerState.BROKEN;
    }
}
