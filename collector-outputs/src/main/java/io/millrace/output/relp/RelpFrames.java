package io.millrace.output.relp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The frames that a server of RELP sends: {@code TXNR SP COMMAND SP DATALEN [SP DATA] LF}. One thread. */
final class RelpFrames {
    /** The number of hints, which answer nothing. */
    static final int HINT = 0;

    private static final int BUFFER_BYTES = 128 << 10;
    private static final int MAX_DIGITS = 9;
    private static final int MAX_COMMAND_LETTERS = 32;
    /** Answers are short; more than this is not what a server of RELP sends. */
    private static final int MAX_DATA_BYTES = 64 << 10;

    private static final int INCOMPLETE = -1;
    private static final int CODE_DIGITS = 3;
    private static final int MAX_REASON = 200;

    /** Received bytes that are not taken apart yet lie between position and limit. */
    private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES).limit(0);

    private int at;
    private int txnr;
    private int commandBegin;
    private int commandLength;
    private int dataBegin;
    private int dataLength;

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
        at = bytes.position();
        txnr = number(' ');
        commandBegin = at;
        if (txnr == INCOMPLETE || !command()) {
            return false;
        }
        int length = number('\n');
        if (length == INCOMPLETE) {
            return false;
        }
        check(length <= MAX_DATA_BYTES);
        // After a length of 0 the line feed may follow at once.
        boolean hasData = bytes.get(at - 1) == ' ';
        check(hasData || length == 0);
        dataBegin = at;
        dataLength = length;
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

    /** A number, and the byte after it: a space, or the other one that is allowed. */
    private int number(char end) throws IOException {
        int value = 0;
        for (int digits = 0; at < bytes.limit(); digits++) {
            byte next = bytes.get(at++);
            if (next == ' ' || next == end) {
                check(digits > 0);
                return value;
            }
            check(next >= '0' && next <= '9' && digits < MAX_DIGITS);
            value = value * 10 + next - '0';
        }
        return INCOMPLETE;
    }

    private boolean command() throws IOException {
        for (; at < bytes.limit(); at++) {
            byte next = bytes.get(at);
            commandLength = at - commandBegin;
            if (next == ' ') {
                check(commandLength > 0);
                at++;
                return true;
            }
            check(((next | 0x20) >= 'a' && (next | 0x20) <= 'z') && commandLength < MAX_COMMAND_LETTERS);
        }
        return false;
    }

    private static void check(boolean isRelp) throws IOException {
        if (!isRelp) {
            throw new IOException("The server sent an invalid RELP frame");
        }
    }

    /** The number of the command that it answers; {@link #HINT} for a hint. */
    int txnr() {
        return txnr;
    }

    boolean is(String command) {
        if (commandLength != command.length()) {
            return false;
        }
        for (int i = 0; i < commandLength; i++) {
            if (bytes.get(commandBegin + i) != command.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The code of an answer; -1 if it has none. */
    int code() {
        int code = 0;
        for (int i = 0; i < CODE_DIGITS; i++) {
            int digit = i < dataLength ? bytes.get(dataBegin + i) - '0' : -1;
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

    /** The data as text. */
    String data() {
        return new String(bytes.array(), dataBegin, dataLength, UTF_8);
    }
}
