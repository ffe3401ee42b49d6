package io.millrace.internal.transport.stream;

import io.millrace.collector.Network;
import io.millrace.collector.StreamCounter;
import io.millrace.internal.record.FrameSource;
import io.millrace.internal.tls.TlsFailure;
import io.millrace.internal.tls.TlsHandshake;
import io.millrace.internal.transport.proxy.ProxyHeader;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** The beginning of a connection, before its messages: its PROXY header and its TLS handshake. The loop's thread. */
final class ConnectionSetup implements TlsHandshake.Listener, ProxyHeader.Listener {
    /** More waiting handshakes of one network are noticed. */
    private static final int MANY_HANDSHAKES = 50;

    private final StreamConnections connections;
    private final StreamListener listener;
    private final StreamConnection connection;

    ConnectionSetup(StreamConnections connections, StreamConnection connection) {
        this.connections = connections;
        this.listener = connection.listener;
        this.connection = connection;
    }

    @Override
    public Network network() {
        return Network.ofSource(connection.address(), Integer.SIZE);
    }

    @Override
    public void waits(int ofNetwork, int bytes) {
        connection.handshake(bytes);
        listener.counters.add(StreamCounter.TLS_WAITS, 1);
        if (ofNetwork > MANY_HANDSHAKES) {
            listener.notice(
                    StreamCounter.TLS_WAITS,
                    connection.address(),
                    ofNetwork + " of its TLS handshakes wait: it connects too often");
        }
    }

    @Override
    public void begins(int bytes) {
        connection.tlsBegins(bytes);
        connection.handshake(MemoryGuard.HANDSHAKE_BYTES);
    }

    @Override
    public void secured(@Nullable String peer) {
        connection.handshake(0);
        if (peer != null) {
            connection.identify(connection.source().of(peer));
        }
    }

    @Override
    public void failed(TlsFailure failure, String reason) {
        listener.refused(failure, connection.address().getHostAddress(), reason);
        connections.close(connection, failure.counter());
    }

    @Override
    public void proxied(InetAddress client, int port) {
        connection.identify(FrameSource.of(listener.input.endpoint().transport(), listener.id, client, port), client);
        if (!connection.isAllowed(connections.policy())) {
            connections.close(connection, StreamCounter.CLOSED_DENIED);
        }
    }

    @Override
    public void endedBeforeHeader() {
        // A health check sends nothing.
        if (SharedReadBuffer.readBytes(connection.channel) > 0) {
            listener.badProxyHeader(connection.address(), "the connection ended before the end of the header");
            connection.endsBecause(StreamCounter.CLOSED_PROXY_HEADER);
        }
    }

    @Override
    public void ownConnection() {
        // The source is the proxy.
    }

    @Override
    public void badProxyHeader(String reason) {
        listener.badProxyHeader(connection.address(), reason);
        connections.close(connection, StreamCounter.CLOSED_PROXY_HEADER);
    }
}
