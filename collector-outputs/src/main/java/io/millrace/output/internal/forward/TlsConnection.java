package io.millrace.output.internal.forward;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Connection over TLS, RFC 5425: a {@link TcpConnection} with the JDK's TLS engine, because a write of the JDK's TLS
 * socket can neither be interrupted nor limited in time.
 */
final class TlsConnection implements SyslogConnection {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** The time for a server to reject this host's certificate. */
    private static final long OBJECTION_NS = TimeUnit.SECONDS.toNanos(1);

    private final TcpConnection tcp;
    private final SSLEngine engine;
    private final long connectTimeoutNs;

    /** Received data; undecrypted data is at its beginning. */
    private final ByteBuffer in;

    private final ByteBuffer out;
    private final ByteBuffer ignored;

    private TlsConnection(TcpConnection tcp, SSLEngine engine, long connectTimeoutNs) {
        this.tcp = tcp;
        this.engine = engine;
        this.connectTimeoutNs = connectTimeoutNs;
        int packet = engine.getSession().getPacketBufferSize();
        in = ByteBuffer.allocate(2 * packet);
        out = ByteBuffer.allocate(packet);
        ignored = ByteBuffer.allocate(2 * packet);
    }

    /** Connects, and performs the handshake. */
    static TlsConnection open(ForwardTarget target, SSLContext context) throws IOException, InterruptedException {
        long timeoutNs = target.connectTimeout().toNanos();
        long endNs = System.nanoTime() + timeoutNs;
        SSLEngine engine = context.createSSLEngine(target.host(), target.port());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        // The context decides whether the host name is verified.
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        TcpConnection tcp = TcpConnection.open(target.host(), target.port(), endNs, target.ackTimeout());
        boolean open = false;
        try {
            TlsConnection connection = new TlsConnection(tcp, engine, timeoutNs);
            engine.beginHandshake();
            connection.shakeHands(endNs);
            connection.awaitObjection();
            open = true;
            return connection;
        } catch (SSLException e) {
            throw new IOException("TLS: " + e.getMessage(), e);
        } finally {
            if (!open) {
                tcp.close();
            }
        }
    }

    private void shakeHands(long endNs) throws IOException, InterruptedException {
        try {
            HandshakeStatus status = engine.getHandshakeStatus();
            while (status != HandshakeStatus.NOT_HANDSHAKING) {
                switch (status) {
                    case NEED_TASK -> runTasks();
                    case NEED_WRAP -> wrap(NOTHING);
                    default -> {
                        if (!unwrap() && tcp.read(in) == 0 && !tcp.awaitReadable(endNs)) {
                            throw new IOException("the TLS handshake was not done in time");
                        }
                    }
                }
                status = engine.getHandshakeStatus();
            }
        } catch (SSLException e) {
            sendAlert();
            throw e;
        }
    }

    /**
     * In TLS 1.3 a server checks this host's certificate only after the handshake has ended here. Its next record tells
     * the result: a session ticket, or an alert. Without this wait, batches could be written into connections that a
     * server rejects.
     */
    private void awaitObjection() throws IOException, InterruptedException {
        if (!engine.getSession().getProtocol().equals("TLSv1.3")) {
            return;
        }
        long endNs = System.nanoTime() + OBJECTION_NS;
        while (!unwrap()) {
            if (tcp.read(in) == 0 && !tcp.awaitReadable(endNs)) {
                return;
            }
        }
    }

    /** Sends an alert to the server for its log, if possible. */
    private void sendAlert() throws InterruptedException {
        try {
            while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                wrap(NOTHING);
            }
        } catch (IOException e) {
            // The first failure is reported.
        }
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** Encrypts and writes a piece. */
    private SSLEngineResult wrap(ByteBuffer from) throws IOException, InterruptedException {
        out.clear();
        SSLEngineResult result = engine.wrap(from, out);
        out.flip();
        tcp.write(out);
        return result;
    }

    /** Decrypts a piece of received data, which is ignored; returns false if it is incomplete. */
    private boolean unwrap() throws IOException {
        ignored.clear();
        return unwrap(ignored);
    }

    private boolean unwrap(ByteBuffer to) throws IOException {
        in.flip();
        SSLEngineResult result = engine.unwrap(in, to);
        in.compact();
        return switch (result.getStatus()) {
            case OK -> true;
            case BUFFER_UNDERFLOW -> false;
            case CLOSED -> throw new IOException("it has closed the connection");
            case BUFFER_OVERFLOW -> throw new IOException("it has sent a record longer than TLS allows");
        };
    }

    @Override
    public void send(byte[] bytes, int begin, int end) throws IOException, InterruptedException {
        ByteBuffer from = ByteBuffer.wrap(bytes, begin, end - begin);
        while (from.hasRemaining()) {
            SSLEngineResult result = wrap(from);
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                throw new IOException("it has closed the connection");
            }
            if (result.bytesConsumed() == 0) {
                // The server requests a renegotiation, which TLS 1.2 allows.
                shakeHands(System.nanoTime() + connectTimeoutNs);
            }
        }
    }

    @Override
    public void check() throws IOException, InterruptedException {
        for (int i = 0; i < TcpConnection.MAX_READS && (unwrap() || tcp.read(in) > 0); i++) {
            if (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
                shakeHands(System.nanoTime() + connectTimeoutNs);
            }
        }
    }

    @Override
    public int read(ByteBuffer to) throws IOException, InterruptedException {
        int before = to.position();
        for (int i = 0; i < TcpConnection.MAX_READS && to.position() == before; i++) {
            if (!unwrap(to) && tcp.read(in) == 0) {
                break;
            }
            if (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
                shakeHands(System.nanoTime() + connectTimeoutNs);
            }
        }
        return to.position() - before;
    }

    @Override
    public boolean awaitReadable(long endNs) throws IOException, InterruptedException {
        return tcp.awaitReadable(endNs);
    }

    @Override
    public InetAddress server() {
        return tcp.server();
    }

    @Override
    public String description() {
        SSLSession session = engine.getSession();
        try {
            X509Certificate server = (X509Certificate) session.getPeerCertificates()[0];
            return session.getProtocol() + ", the server's certificate is " + server.getSubjectX500Principal()
                    + ", valid until " + server.getNotAfter().toInstant();
        } catch (SSLPeerUnverifiedException e) {
            return session.getProtocol();
        }
    }

    @Override
    public void finish() throws IOException, InterruptedException {
        try {
            engine.closeOutbound();
            while (!engine.isOutboundDone()) {
                SSLEngineResult result = wrap(NOTHING);
                if (result.bytesProduced() == 0) {
                    break;
                }
            }
            tcp.finish();
        } finally {
            tcp.close();
        }
    }

    @Override
    public void close() {
        tcp.close();
    }
}
