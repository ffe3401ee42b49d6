package io.millrace.output.syslog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.output.StreamServer;
import io.millrace.output.syslog.SyslogSettings.Framing;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLServerSocket;

/** Receives syslog over TCP or TLS, and takes framing literally. */
final class SyslogReceiver extends StreamServer {
    private final Framing framing;
    private final boolean clientAuth;

    SyslogReceiver(ServerSocketFactory factory, Framing framing, boolean clientAuth) {
        super(factory);
        this.framing = framing;
        this.clientAuth = clientAuth;
    }

    @Override
    protected void prepare(ServerSocket listening) {
        if (listening instanceof SSLServerSocket tls) {
            tls.setNeedClientAuth(clientAuth);
        }
    }

    @Override
    protected void serve(Socket connection, InputStream in) throws IOException, InterruptedException {
        for (String message = next(in); message != null; message = next(in)) {
            take(message);
        }
    }

    /** The next message; null at the end of the stream. */
    private String next(InputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        if (framing == Framing.LINE_FEED) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int c = first; c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new EOFException();
                }
                line.write(c);
            }
            return line.toString(UTF_8);
        }
        if (first < '1' || first > '9') {
            throw violation("a count begins with " + first);
        }
        int length = 0;
        for (int c = first; c != ' '; c = in.read()) {
            if (c < '0' || c > '9' || length > 1_000_000) {
                throw violation("a count goes on with " + c);
            }
            length = 10 * length + c - '0';
        }
        byte[] message = in.readNBytes(length);
        if (message.length < length) {
            throw new EOFException();
        }
        return new String(message, UTF_8);
    }
}
