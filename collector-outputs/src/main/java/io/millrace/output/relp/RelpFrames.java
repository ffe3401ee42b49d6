package io.millrace.output.relp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.transport.relp.RelpHeader;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The frames that a server of RELP sends: {@code TXNR SP COMMAND SP DATALEN [SP DATA] LF}. One thread. */
final class RelpFrames {
    /** The number of hints, which answer nothing. */
    static final int HINT = 0;

    private static final int BUFFER_BYTES = 128 << 10;
    /** Answers are short; more than this is not what a server of RELP sends. */
    private static final int MAX_DATA_BYTES = 64 << 10;

    private static final int CODE_DIGITS = 3;
    private static final int MAX_REASON = 200;

    /** Received bytes that are not taken apart yet lie between position and limit. */
    private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES).limit(0);

    private final RelpHeader header = new RelpHeader();
    private int dataBegin;

    /** Reads more. */
    @FunctionalInterface
    interface Source {
        int read(ByteBuffer to) throws IOException, InterruptedException;
    }

    /** Reads what there is; returns the number of bytes. Forgets the last frame. */
    int fill(Source source) throws IOException, InterruptedException {
        bytes.compact();
        try {
            return source.read(bytes);
        } finally {
            bytes.flip();
        }
    }

    /**
     * Goes on to the next frame, which is valid until the next call.
     *
     * @return false if there is no complete one
     * @throws IOException if it is not RELP
     */
    boolean next() throws IOException {
        int at = bytes.position();
        header.reset();
        while (header.part() != RelpHeader.Part.COMPLETE) {
            if (at == bytes.limit()) {
                return false;
            }
            check(header.take(bytes.get(at++)));
        }
        int length = header.dataLength();
        check(length <= MAX_DATA_BYTES);
        // After a length of 0 the line feed may follow at once.
        boolean hasData = bytes.get(at - 1) == ' ';
        check(hasData || length == 0);
        dataBegin = at;
        if (hasData) {
            if (bytes.limit() - at <= length) {
                return false;
            }
            check(bytes.get(at + length) == '\n');
            at += length + 1;
        }
        bytes.position(at);
        return true;
    }

    private static void check(boolean isRelp) throws IOException {
        if (!isRelp) {
            throw new IOException("The server sent an invalid RELP frame");
        }
    }

    /** The number of the command that it answers; {@link #HINT} for a hint. */
    int txnr() {
        return header.txnr();
    }

    boolean is(RelpHeader.Command command) {
        return header.is(command);
    }

    /** The code of an answer; -1 if it has none. */
    int code() {
        int code = 0;
        for (int i = 0; i < CODE_DIGITS; i++) {
            int digit = i < header.dataLength() ? bytes.get(dataBegin + i) - '0' : -1;
            if (digit < 0 || digit > 9) {
                return -1;
            }
            code = code * 10 + digit;
        }
        return code;
    }

    /** The first line of an answer, for people. */
    String reason() {
        String line = data().lines().findFirst().orElse("");
        return line.substring(0, Math.min(MAX_REASON, line.length()));
    }

    String data() {
        return new String(bytes.array(), dataBegin, header.dataLength(), UTF_8);
    }
}
