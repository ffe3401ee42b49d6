package io.millrace.bench.powercut;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reader of the answers of a RELP server: {@code TRANSACTION rsp LENGTH CODE TEXT}. One thread. */
final class RelpAnswers {
    private static final String COMMAND = "rsp ";
    private static final String OK = "200";

    private final InputStream in;
    private final byte[] bytes = new byte[1 << 14];
    private int at;
    private int end;

    RelpAnswers(InputStream in) {
        this.in = in;
    }

    /** Reads one answer and returns its transaction; waits for it if there is none. */
    int read() throws IOException {
        int transaction = number();
        expect(COMMAND);
        int length = number();
        expect(OK);
        for (int i = OK.length(); i < length; i++) {
            var unused = next();
        }
        expect("\n");
        return transaction;
    }

    /** True if the next answer, or its beginning, was received with the last one. */
    boolean hasMore() {
        return at < end;
    }

    private int number() throws IOException {
        int value = 0;
        for (int c = next(); c != ' '; c = next()) {
            if (c < '0' || c > '9') {
                throw new IOException("unexpected byte " + c + " in an answer of RELP");
            }
            value = value * 10 + c - '0';
        }
        return value;
    }

    private void expect(String text) throws IOException {
        for (int i = 0; i < text.length(); i++) {
            int c = next();
            if (c != text.charAt(i)) {
                throw new IOException("unexpected byte " + c + " in an answer of RELP");
            }
        }
    }

    private int next() throws IOException {
        if (at == end) {
            at = 0;
            end = Math.max(0, in.read(bytes, 0, bytes.length));
            if (end == 0) {
                throw new EOFException("the service closed the connection");
            }
        }
        return bytes[at++];
    }
}
