package io.millrace.internal.transport.relp;

import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.transport.framing.FrameSink;
import io.millrace.internal.transport.framing.FramingCounts;
import io.millrace.internal.transport.framing.RemainderPool;
import io.millrace.internal.transport.framing.StreamDecoder;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/**
 * Takes the commands of a RELP client apart: passes on the messages, and notes which answers the client waits for. A message within one
 * read is passed on without a copy. Only the beginning of an incomplete message is kept, up to {@code maxMessage} bytes.
 *
 * <p>Bytes of messages are payload; what a message has beyond {@code maxMessage}, what is incomplete at the end, and what cannot be
 * understood are skipped; all others are framing. An incomplete message is never passed on: the client sends it again. One thread.
 */
public final class RelpDecoder extends StreamDecoder {
    private static final int MAX_DIGITS = 9;
    private static final int MAX_COMMAND_LETTERS = 32;
    private static final int MAX_OFFERS_BYTES = 4096;

    private static final long SYSLOG = word("syslog");
    private static final long OPEN = word("open");
    private static final long CLOSE = word("close");

    /** What the next byte belongs to. */
    private enum State {
        TXNR,
        COMMAND,
        LENGTH,
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

    private State state = State.TXNR;
    private boolean opened;
    private int digits;
    private int txnr;
    /** The letters of the command, the last in the lowest byte. More than eight push the first ones out, which no known command has. */
    private long command;

    private int letters;
    private int dataLength;
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

    private static long word(String command) {
        long word = 0;
        for (int i = 0; i < command.length(); i++) {
            word = word << Byte.SIZE | command.charAt(i);
        }
        return word;
    }

    private boolean is(long known) {
        return command == known && letters <= Long.BYTES;
    }

    @Override
    public int take(ByteBuffer memory, int from, int to, FrameSink sink) {
        beginPiece(from);
        int at = from;
        while (at < to) {
            int next = switch (state) {
                case TXNR, COMMAND, LENGTH -> header(memory, at, to);
                case DATA -> is(SYSLOG) ? message(memory, at, to, sink) : offers(memory, at, to);
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
        boolean more = true;
        while (more && at < to) {
            byte next = memory.get(at);
            more = switch (state) {
                case TXNR -> txnr(next);
                case COMMAND -> command(next);
                default -> length(next);
            };
            at += more ? 1 : 0;
        }
        if (state == State.BROKEN) {
            error(broken, memory, at, to);
        } else if (state == State.DATA || state == State.SKIPPED_DATA) {
            // The space before the data.
            at++;
        }
        counts.framingBytes += at - from;
        return at;
    }

    /** Takes a byte of the header; false if it does not belong to the header, or is its last. */
    private boolean txnr(byte next) {
        if (isDigit(next) && digits < MAX_DIGITS) {
            txnr = txnr * 10 + next - '0';
            digits++;
            return true;
        }
        if (next != ' ' || digits == 0) {
            return broken("not RELP: a transaction number and a space are expected");
        }
        digits = 0;
        state = State.COMMAND;
        return true;
    }

    private boolean command(byte next) {
        if (isLetter(next) && letters < MAX_COMMAND_LETTERS) {
            command = command << Byte.SIZE | next;
            letters++;
            return true;
        }
        if (next != ' ' || letters == 0) {
            return broken("not RELP: a command of letters and a space are expected");
        }
        state = State.LENGTH;
        return true;
    }

    private boolean length(byte next) {
        if (isDigit(next) && digits < MAX_DIGITS) {
            dataLength = dataLength * 10 + next - '0';
            digits++;
            return true;
        }
        boolean empty = dataLength == 0;
        if (digits == 0 || next != (empty ? '\n' : ' ')) {
            return broken("not RELP: a data length is expected");
        }
        if (!isAllowed()) {
            return broken(
                    is(OPEN) && opened
                            ? "a second open in a RELP session"
                            : "a RELP command that is not allowed now, such as syslog before open");
        }
        if (empty) {
            state = State.TRAILER;
        } else if (is(SYSLOG) || is(OPEN)) {
            state = State.DATA;
        } else {
            toSkip = dataLength;
            state = State.SKIPPED_DATA;
        }
        return false;
    }

    /** True if the client may send this command now. Number 0 is for hints, which get no answer. */
    private boolean isAllowed() {
        if (is(SYSLOG) || is(CLOSE)) {
            return opened && txnr > 0;
        }
        return !is(OPEN) || (!opened && txnr > 0 && dataLength > 0 && dataLength <= MAX_OFFERS_BYTES);
    }

    private int message(ByteBuffer memory, int at, int to, FrameSink sink) {
        int stored = Math.min(dataLength, maxMessage);
        int available = Math.min(stored - keptLength, to - at);
        if (keptLength + available < stored) {
            keep(memory, at, to);
            return to;
        }
        // Its answer must have a place, too.
        if (answers.isFull()
                || !pass(memory, at, stored, dataLength, stored < dataLength ? FrameWriter.TRUNCATED : 0, sink)) {
            return NO_ROOM;
        }
        batch = currentBatch.getAsLong();
        toSkip = dataLength - stored;
        state = toSkip > 0 ? State.SKIPPED_DATA : State.TRAILER;
        return at + available;
    }

    private int offers(ByteBuffer memory, int at, int to) {
        int available = Math.min(dataLength - keptLength, to - at);
        keep(memory, at, at + available);
        if (keptLength == dataLength) {
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
        boolean isHint = txnr == 0;
        if (!isHint && answers.isFull()) {
            return NO_ROOM;
        }
        if (!isHint) {
            answer();
        }
        counts.framingBytes++;
        state = is(CLOSE) ? State.CLOSED : State.TXNR;
        digits = 0;
        txnr = 0;
        command = 0;
        letters = 0;
        dataLength = 0;
        batch = -1;
        return at + 1;
    }

    private void answer() {
        if (is(SYSLOG) && dataLength > 0) {
            answers.message(txnr, batch);
        } else if (is(SYSLOG)) {
            answers.emptyMessage(txnr);
        } else if (is(OPEN)) {
            opened = true;
            answers.open(txnr, version);
        } else if (is(CLOSE)) {
            answers.close(txnr);
        } else {
            answers.unknown(txnr);
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

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static boolean isLetter(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
    }
}
