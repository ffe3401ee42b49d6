package io.millrace.collector;

import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an input of connections, or of Unix datagrams.
 *
 * @param framing how messages are delimited
 * @param maxMessageBytes the longest message to keep; a longer one is truncated
 * @param maxConnections connections at a time
 * @param maxConnectionsPerSource the same from one source: an IPv4 address or a /64 network of IPv6
 * @param idleTimeout how long a connection may be idle; zero for no limit
 * @param mode permissions of the socket file of a Unix socket
 * @param owner its owner, as {@code USER} or {@code USER:GROUP}; null for this process's
 * @param tls the certificate of an input on TLS; null for other inputs
 * @param proxies whose connections begin with a header of the PROXY protocol, which is believed
 * @param multiline which lines are one message; null if each is one
 */
public record StreamSettings(
        Framing framing,
        int maxMessageBytes,
        int maxConnections,
        int maxConnectionsPerSource,
        Duration idleTimeout,
        Set<PosixFilePermission> mode,
        @Nullable String owner,
        @Nullable TlsServerSettings tls,
        List<Network> proxies,
        @Nullable Multiline multiline) {
    /** The shortest {@code maxMessageBytes}: what every receiver of RFC 5424 must take. */
    public static final int MIN_MESSAGE_BYTES = 480;

    /** The longest {@code maxMessageBytes}. */
    public static final int MAX_MESSAGE_BYTES = 128 << 10;

    /** The most connections that can be allowed. */
    public static final int MAX_CONNECTIONS = 1_000_000;

    /** What holds if nothing is said. */
    public static final StreamSettings DEFAULT = new StreamSettings(
            Framing.AUTO,
            64 << 10,
            10_000,
            1_000,
            Duration.ZERO,
            PosixFilePermissions.fromString("rw-rw-rw-"),
            null,
            null,
            List.of());

    /** Checks the limits. */
    public StreamSettings {
        mode = Set.copyOf(mode);
        proxies = List.copyOf(proxies);
        check(maxMessageBytes, MIN_MESSAGE_BYTES, MAX_MESSAGE_BYTES, "maxMessage");
        check(maxConnections, 1, MAX_CONNECTIONS, "maxConnections");
        check(maxConnectionsPerSource, 1, MAX_CONNECTIONS, "maxConnectionsPerSource");
        if (idleTimeout.isNegative()) {
            throw new IllegalArgumentException("idleTimeout takes a time that is not negative, not " + idleTimeout);
        }
        if (multiline != null && (framing == Framing.OCTET_COUNTING || framing == Framing.NUL)) {
            throw new IllegalArgumentException(
                    "multiline joins lines, so framing takes newline or auto, not " + framing);
        }
    }

    /** Settings of an input whose lines are messages. */
    public StreamSettings(
            Framing framing,
            int maxMessageBytes,
            int maxConnections,
            int maxConnectionsPerSource,
            Duration idleTimeout,
            Set<PosixFilePermission> mode,
            @Nullable String owner,
            @Nullable TlsServerSettings tls,
            List<Network> proxies) {
        this(
                framing,
                maxMessageBytes,
                maxConnections,
                maxConnectionsPerSource,
                idleTimeout,
                mode,
                owner,
                tls,
                proxies,
                null);
    }

    private static void check(int value, int min, int max, String setting) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(setting + " takes " + min + " to " + max + ", not " + value);
        }
    }

    /** The same with another framing. */
    public StreamSettings withFraming(Framing other) {
        return new StreamSettings(
                other,
                maxMessageBytes,
                maxConnections,
                maxConnectionsPerSource,
                idleTimeout,
                mode,
                owner,
                tls,
                proxies,
                multiline);
    }

    /** The same with TLS. */
    public StreamSettings withTls(TlsServerSettings other) {
        return new StreamSettings(
                framing,
                maxMessageBytes,
                maxConnections,
                maxConnectionsPerSource,
                idleTimeout,
                mode,
                owner,
                other,
                proxies,
                multiline);
    }

    /** The same with proxies. */
    public StreamSettings withProxies(List<Network> other) {
        return new StreamSettings(
                framing,
                maxMessageBytes,
                maxConnections,
                maxConnectionsPerSource,
                idleTimeout,
                mode,
                owner,
                tls,
                other,
                multiline);
    }

    /** The same with messages of several lines. */
    public StreamSettings withMultiline(Multiline other) {
        return new StreamSettings(
                framing,
                maxMessageBytes,
                maxConnections,
                maxConnectionsPerSource,
                idleTimeout,
                mode,
                owner,
                tls,
                proxies,
                other);
    }
}
