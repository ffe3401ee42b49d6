package io.millrace.output.internal.forward;

import io.millrace.output.internal.tls.TlsSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A server of syslog or RELP.
 *
 * @param host the name or address; a name is resolved for each connection
 * @param udp true for UDP, false for a stream
 * @param connectTimeout the time limit for connecting, including the TLS handshake
 * @param ackTimeout the time limit without progress in sending; then the connection is closed
 * @param resolve how often the host name is looked up while a connection is open; zero for never
 * @param tls the certificates; null without TLS
 */
public record ForwardTarget(
        String host,
        int port,
        boolean udp,
        Duration connectTimeout,
        Duration ackTimeout,
        Duration resolve,
        @Nullable TlsSettings tls) {
    /** This server with the time limits of a probe. */
    public ForwardTarget within(Duration connect, Duration ack) {
        return new ForwardTarget(host, port, udp, connect, ack, resolve, tls);
    }
}
