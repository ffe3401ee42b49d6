package io.millrace.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.output.internal.secret.Secrets;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard error without secrets: log lines, stack traces and all other output. Other bytes pass unchanged. An
 * incomplete line waits only if it ends like the beginning of a secret.
 */
public final class RedactedStream extends OutputStream {
    /** The length at which a line is written even if it is incomplete. */
    private static final int MAX_WAITING_BYTES = 1 << 20;

    private final Secrets secrets;
    private final PrintStream out;
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();

    RedactedStream(Secrets secrets, PrintStream out) {
        this.secrets = secrets;
        this.out = out;
    }

    /** Replaces standard error by a stream that redacts the secrets of this process. */
    public static void protectStandardError() {
        System.setErr(of(Secrets.known(), System.err));
    }

    /** Creates a stream that redacts and writes to another one. */
    static PrintStream of(Secrets secrets, PrintStream out) {
        return new PrintStream(new RedactedStream(secrets, out), true);
    }

    @Override
    public synchronized void write(int b) {
        waiting.write(b);
        pass();
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        waiting.write(bytes, offset, length);
        pass();
    }

    /** The pending text may be the beginning of a secret, so it keeps waiting. */
    @Override
    public synchronized void flush() {
        out.flush();
    }

    @Override
    public synchronized void close() {
        write();
        out.close();
    }

    private void pass() {
        String text = waiting.toString(ISO_8859_1);
        if (text.endsWith("\n") || text.length() >= MAX_WAITING_BYTES || !secrets.mayGoOn(text)) {
            write();
        }
    }

    private void write() {
        byte[] bytes = secrets.redact(waiting.toString(ISO_8859_1)).getBytes(ISO_8859_1);
        waiting.reset();
        out.write(bytes, 0, bytes.length);
        out.flush();
    }
}
