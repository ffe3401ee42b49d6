package io.millrace.internal.transport.relp;

import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.transport.framing.FrameSink;
import io.millrace.internal.transport.framing.FramingCounts;
import io.millrace.internal.transport.framing.RemainderPool;
import io.millrace.internal.transport.framing.StreamDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;

/**
 * Takes the commands of a RELP client apart: passes on the messages, and notes which answers the client waits for. A message within one
 * read is passed on without a copy. Only the beginning of an incomplete message is kept, up to {@code maxMessage} bytes.
 *
 * <p>Bytes of messages are payload; what a message has beyond {@code maxMessage}, what is incomplete at the end, and what cannot be
 * understood are skipped; all others are framing. An incomplete message is never passed on: the client sends it again. One thread.
 */
public final class RelpDecoder extends StreamDecoder {
    private static final int MAX_OFFERS_BYTES = 4096;

    private static final RelpHeader.Command SYSLOG = RelpHeader.Command.of("syslog");
    private static final RelpHeader.Command OPEN = RelpHeader.Command.of("open");
    private static final RelpHeader.Command CLOSE = RelpHeader.Command.of("close");

    /** What the next byte belongs to. */
    private enum State {
        HEADER,
        /** Data to keep: a message, or the offers of {@code open}. */
        DATA,
        /** Data to skip: of another command, or of a message that is too long. */
        SKIPPED_DATA,
        /** The line feed at the end of a frame. */
        TRAILER,
        /** Nothing: the client has said {@code close}, or the server does not read any more. */
        CLOSED,
        /** It is not RELP. */
        BROKEN
    }

    private final int maxMessage;
    private final RelpAnswers answers;
    private final LongSupplier currentBatch;

    private final RelpHeader header = new RelpHeader();
    private State state = State.HEADER;
    private boolean opened;
    private int toSkip;
    /** The batch that has the message of the frame; -1 if there is none. */
    private long batch;

    private int version;
    private String broken = "";

    /**
     * Creates a decoder at the beginning of a connection.
     *
     * @param maxMessage the longest message to keep, in bytes; the rest of a longer one is skipped
     * @param currentBatch the number of the batch that the sink has appended its last message to
     */
    public RelpDecoder(
            int maxMessage, RemainderPool pool, FramingCounts counts, RelpAnswers answers, LongSupplier currentBatch) {
        super(pool, counts);
        this.maxMessage = maxMessage;
        this.answers = answers;
        this.currentBatch = currentBatch;
    }

    @Override
    public int take(ByteBuffer memory, int from, int to, FrameSink sink) {
        beginPiece(from);
        int at = from;
        while (at < to) {
            int next = switch (state) {
                case HEADER -> header(memory, at, to);
                case DATA -> header.is(SYSLOG) ? message(memory, at, to, sink) : offers(memory, at, to);
                case SKIPPED_DATA -> skipData(at, to);
                case TRAILER -> trailer(memory, at, to);
                case CLOSED, BROKEN -> skip(at, to);
            };
            if (next == NO_ROOM) {
                return at;
            }
            at = next;
        }
        return at;
    }

    private int header(ByteBuffer memory, int from, int to) {
        int at = from;
        while (at < to && header.part() != RelpHeader.Part.COMPLETE) {
            if (!header.take(memory.get(at))) {
                var unused = broken(
                        switch (header.part()) {
                            case TXNR -> "not RELP: a transaction number and a space are expected";
                            case COMMAND -> "not RELP: a command of letters and a space are expected";
                            default -> "not RELP: a data length is expected";
                        });
                break;
            }
            at++;
        }
        if (header.part() == RelpHeader.Part.COMPLETE) {
            // The line feed of an empty frame is its trailer.
            at -= begin(memory.get(at - 1)) ? 0 : 1;
        }
        if (state == State.BROKEN) {
            error(broken, memory, at, to);
        }
        counts.framingBytes += at - from;
        return at;
    }

    /** Begins the data after a header; false if the byte after the length belongs to what follows. */
    private boolean begin(byte afterLength) {
        boolean empty = header.dataLength() == 0;
        if (afterLength != (empty ? '\n' : ' ')) {
            return broken("not RELP: a data length is expected");
        }
        if (!isAllowed()) {
            return broken(
                    header.is(OPEN) && opened
                            ? "a second open in a RELP session"
                            : "a RELP command that is not allowed now, such as syslog before open");
        }
        if (empty) {
            state = State.TRAILER;
            return false;
        }
        boolean isKept = header.is(SYSLOG) || header.is(OPEN);
        toSkip = isKept ? 0 : header.dataLength();
        state = isKept ? State.DATA : State.SKIPPED_DATA;
        return true;
    }

    /** True if the client may send this command now. Number 0 is for hints, which get no answer. */
    private boolean isAllowed() {
        if (header.is(SYSLOG) || header.is(CLOSE)) {
            return opened && header.txnr() > 0;
        }
        return !header.is(OPEN)
                || (!opened && header.txnr() > 0 && header.dataLength() > 0 && header.dataLength() <= MAX_OFFERS_BYTES);
    }

    private int message(ByteBuffer memory, int at, int to, FrameSink sink) {
        int stored = Math.min(header.dataLength(), maxMessage);
        int available = Math.min(stored - keptLength, to - at);
        if (keptLength + available < stored) {
            keep(memory, at, to);
            return to;
        }
        // Its answer must have a place, too.
        if (answers.isFull()
                || !pass(
                        memory,
                        at,
                        stored,
                        header.dataLength(),
                        stored < header.dataLength() ? FrameWriter.TRUNCATED : 0,
                        sink)) {
            return NO_ROOM;
        }
        batch = currentBatch.getAsLong();
        toSkip = header.dataLength() - stored;
        state = toSkip > 0 ? State.SKIPPED_DATA : State.TRAILER;
        return at + available;
    }

    private int offers(ByteBuffer memory, int at, int to) {
        int available = Math.min(header.dataLength() - keptLength, to - at);
        keep(memory, at, at + available);
        if (keptLength == header.dataLength()) {
            version = RelpOffers.version(kept, 0, keptLength);
            counts.framingBytes += keptLength;
            forget();
            state = State.TRAILER;
            if (version < 0) {
                error("the offers of the RELP command open have no relp_version", memory, at + available, to);
                var unused = broken("");
            }
        }
        return at + available;
    }

    private int trailer(ByteBuffer memory, int at, int to) {
        if (memory.get(at) != '\n') {
            error("not RELP: a line feed is expected after the data", memory, at, to);
            var unused = broken("");
            return at;
        }
        boolean isHint = header.txnr() == 0;
        if (!isHint && answers.isFull()) {
            return NO_ROOM;
        }
        if (!isHint) {
            answer();
        }
        counts.framingBytes++;
        state = header.is(CLOSE) ? State.CLOSED : State.HEADER;
        header.reset();
        batch = -1;
        return at + 1;
    }

    private void answer() {
        if (header.is(SYSLOG) && header.dataLength() > 0) {
            answers.message(header.txnr(), batch);
        } else if (header.is(SYSLOG)) {
            answers.emptyMessage(header.txnr());
        } else if (header.is(OPEN)) {
            opened = true;
            answers.open(header.txnr(), version);
        } else if (header.is(CLOSE)) {
            answers.close(header.txnr());
        } else {
            answers.unknown(header.txnr());
        }
    }

    private int skipData(int at, int to) {
        int bytes = Math.min(toSkip, to - at);
        toSkip -= bytes;
        if (toSkip == 0) {
            state = State.TRAILER;
        }
        return skip(at, at + bytes);
    }

    private boolean broken(String reason) {
        broken = reason;
        abandon();
        state = State.BROKEN;
        return false;
    }

    /** Takes no further command: skips what is incomplete, and everything after it. The client gets no answer to that. */
    public void close() {
        abandon();
        if (state != State.BROKEN) {
            state = State.CLOSED;
        }
    }

    @Override
    public boolean end(FrameSink sink) {
        close();
        return true;
    }

    @Override
    protected int maxKept() {
        return Math.max(maxMessage, MAX_OFFERS_BYTES);
    }

    @Override
    public boolean isBroken() {
        return state == State.BROKEN;
    }

    /** The offers of a client in its command {@code open}: a line {@code NAME=VALUE[,VALUE…]} each. */
    static final class RelpOffers {
        /** The newest version that this server speaks. librelp calls the same protocol version 0. */
        static final int MAX_VERSION = 1;

        private static final String VERSION = "relp_version=";
        private static final int MAX_VERSION_DIGITS = 9;

        private RelpOffers() {}

        /** The version to speak with the client; -1 if it offers none. */
        static int version(ByteBuffer memory, int from, int length) {
            byte[] bytes = new byte[length];
            memory.get(from, bytes);
            for (String offer : new String(bytes, StandardCharsets.US_ASCII).split("\n", -1)) {
                if (offer.startsWith(VERSION)) {
                    String value = offer.substring(VERSION.length()).trim();
                    boolean isNumber = !value.isEmpty()
                            && value.length() <= MAX_VERSION_DIGITS
                            && value.chars().allMatch(c -> c >= '0' && c <= '9');
                    return isNumber ? Math.min(MAX_VERSION, Integer.parseInt(value)) : -1;
                }
            }
            return -1;
        }
    }
}
