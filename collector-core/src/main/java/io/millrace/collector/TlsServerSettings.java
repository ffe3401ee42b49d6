package io.millrace.collector;

import io.millrace.internal.tls.PeerName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
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

    /** Whether clients must show a certificate. */
    public enum ClientAuth {
        /** The server does not request one. */
        NONE,
        /** The server requests one, and verifies it if the client shows one. */
        OPTIONAL,
        /** The server refuses a client without one. */
        REQUIRED
    }

    /**
     * A client that is allowed, by a name of its certificate or by its fingerprint (RFC 5425 section 5.2).
     *
     * @param text a name in its canonical form, in which {@code *.} at the beginning stands for one label; an address as in RFC 5952; or
     *     {@code sha256:} and 64 hexadecimal digits
     */
    public record AllowedPeer(String text) {
        private static final String FINGERPRINT = "sha256:";
        private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
        private static final Pattern NAME = Pattern.compile("(\\*\\.)?[^\\s*]+");

        /**
         * Parses a name or an address, or {@code SHA256:} and the fingerprint with or without colons.
         *
         * @throws IllegalArgumentException if it is neither; the message says what is taken
         */
        public static AllowedPeer parse(String text) {
            String lower = text.toLowerCase(Locale.ROOT);
            if (lower.startsWith(FINGERPRINT)) {
                String digits = lower.substring(FINGERPRINT.length()).replace(":", "");
                if (!HEX.matcher(digits).matches()) {
                    throw new IllegalArgumentException(
                            "takes 32 bytes in hexadecimal after SHA256:, as 'openssl x509 -noout"
                                    + " -fingerprint -sha256' prints them, not '" + text + "'");
                }
                return new AllowedPeer(FINGERPRINT + digits);
            }
            if (!NAME.matcher(lower).matches()) {
                throw new IllegalArgumentException(
                        "takes a name such as web1.example.com, *.example.com, or SHA256: and a" + " fingerprint, not '"
                                + text + "'");
            }
            if (PeerName.network(lower) != null && PeerName.address(lower) == null) {
                throw new IllegalArgumentException(
                        "takes names and addresses as certificates have them, and no networks: policy.allow takes '"
                                + text + "'");
            }
            return new AllowedPeer(PeerName.canonical(lower));
        }

        /** True if it is a fingerprint, which says enough without a certificate authority. */
        public boolean isFingerprint() {
            return text.startsWith(FINGERPRINT);
        }
    }
}
