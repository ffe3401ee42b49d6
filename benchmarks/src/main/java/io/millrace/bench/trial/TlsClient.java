package io.millrace.bench.trial;

import io.millrace.bench.host.Programs;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.TimeUnit;

/** A TLS connection to a local port: {@code openssl s_client}, so that the sender is the same for all receivers. */
final class TlsClient implements WritableByteChannel {
    private static final int END_SECONDS = 60;

    private final Process process;
    private final OutputStream in;
    private byte[] copy = new byte[0];

    TlsClient(int port) throws IOException {
        String program = Programs.find("openssl")
                .map(Object::toString)
                .orElseThrow(() -> new IOException("openssl is not installed"));
        process = new ProcessBuilder(
                        program, "s_client", "-quiet", "-nocommands", "-no_ign_eof", "-connect", "127.0.0.1:" + port)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        in = process.getOutputStream();
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        if (copy.length < length) {
            copy = new byte[length];
        }
        bytes.get(copy, 0, length);
        in.write(copy, 0, length);
        return length;
    }

    @Override
    public boolean isOpen() {
        return process.isAlive();
    }

    /** Waits until everything was sent. */
    @Override
    public void close() throws IOException {
        try {
            in.close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("openssl s_client did not end in " + END_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException("openssl s_client ended with " + process.exitValue());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } finally {
            process.destroyForcibly();
        }
    }
}
