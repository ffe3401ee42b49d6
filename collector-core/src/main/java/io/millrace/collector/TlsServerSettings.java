package io.millrace.collector;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of an input (RFC 5425). All files are PEM.
 *
 * @param certificateFile the server's certificate chain, its own certificate first
 * @param keyFile its private key, not encrypted, in PKCS#8, PKCS#1 or the form of SEC 1
 * @param clientCaFile the certificates that may sign those of clients; null if there are none
 * @param clientAuth whether clients have to show a certificate
 * @param allowedPeers the clients with a certificate that are allowed; empty for all whose certificate is trusted
 * @param handshakeTimeout how long a connection may take from its beginning to the end of the handshake
 */
public record TlsServerSettings(
        Path certificateFile,
        Path keyFile,
        @Nullable Path clientCaFile,
        ClientAuth clientAuth,
        List<AllowedPeer> allowedPeers,
        Duration handshakeTimeout) {
    /** The default of {@code handshakeTimeout}. */
    public static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);

    /** Checks that the settings are consistent. */
    public TlsServerSettings {
        allowedPeers = List.copyOf(allowedPeers);
        if (handshakeTimeout.isNegative() || handshakeTimeout.isZero()) {
            throw new IllegalArgumentException("handshakeTimeout takes a time above 0, not " + handshakeTimeout);
        }
        if (clientAuth == ClientAuth.NONE) {
            if (clientCaFile != null || !allowedPeers.isEmpty()) {
                throw new IllegalArgumentException((clientCaFile != null ? "clientCaFile" : "allowedPeers")
                        + " takes effect with clientAuth: required or optional only");
            }
        } else if (clientCaFile == null && !trustsFingerprints(allowedPeers)) {
            throw new IllegalArgumentException("clientAuth needs clientCaFile, the certificates that may sign those of"
                    + " clients; or allowedPeers with nothing but SHA256: fingerprints");
        }
    }

    /** Settings without client certificates. */
    public static TlsServerSettings of(Path certificateFile, Path keyFile) {
        return new TlsServerSettings(certificateFile, keyFile, null, ClientAuth.NONE, List.of(), HANDSHAKE_TIMEOUT);
    }

    private static boolean trustsFingerprints(List<AllowedPeer> peers) {
        return !peers.isEmpty() && peers.stream().allMatch(AllowedPeer::isFingerprint);
    }
}
