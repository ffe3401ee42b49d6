package io.millrace.collector;

import io.millrace.internal.tls.PeerName;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
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
    /** The server's certificate chain. */
    public static final Setting<Path> CERTIFICATE_FILE = Setting.optional(
            "certificateFile",
            SettingTypes.PATH,
            "none",
            "The server's certificate chain, in PEM, its own certificate first. A changed file is taken within ten seconds.");

    /** The private key of its certificate. */
    public static final Setting<Path> KEY_FILE = Setting.optional(
            "keyFile", SettingTypes.PATH, "none", "Its private key, in PEM (PKCS#8, PKCS#1 or SEC 1), not encrypted.");

    /** The certificates that may sign those of clients. */
    public static final Setting<Path> CLIENT_CA_FILE = Setting.optional(
            "clientCaFile",
            SettingTypes.PATH,
            "none",
            "Certificates that may sign those of clients, in PEM; needs `clientAuth`.");

    /** Whether clients have to show a certificate. */
    public static final Setting<ClientAuth> CLIENT_AUTH = Setting.withDefault(
            "clientAuth",
            SettingTypes.oneOf(ClientAuth.class),
            "none",
            "Whether clients must show a certificate. With optional, one that is shown must be valid.");

    /** The clients that are allowed. */
    public static final Setting<List<String>> ALLOWED_PEERS = Setting.optional(
            "allowedPeers",
            SettingTypes.texts("a list of names and fingerprints", AllowedPeer::parse),
            "all whose certificate is trusted",
            "Clients that are allowed, by a name or an address in the certificate (`web1.example.com`, `*.example.com`, `2001:db8::1`) or by its"
                    + " fingerprint (`SHA256:…`). The name is kept with each message, as `tls_peer`.");

    /** How long a connection may take until the handshake is done. */
    public static final Setting<Duration> HANDSHAKE_TIMEOUT = Setting.withDefault(
            "handshakeTimeout",
            SettingTypes.duration(Duration.ofMillis(1)),
            "10s",
            "How long a connection may take until the handshake is done.");

    /** All settings of a file. */
    public static final List<Setting<?>> ALL =
            List.of(CERTIFICATE_FILE, KEY_FILE, CLIENT_CA_FILE, CLIENT_AUTH, ALLOWED_PEERS, HANDSHAKE_TIMEOUT);

    /** Checks that the settings are consistent. */
    public TlsServerSettings {
        allowedPeers = List.copyOf(allowedPeers);
        HANDSHAKE_TIMEOUT.check(handshakeTimeout);
        if (clientAuth == ClientAuth.NONE) {
            if (clientCaFile != null || !allowedPeers.isEmpty()) {
                throw new SettingException(
                        clientCaFile != null ? CLIENT_CA_FILE : ALLOWED_PEERS,
                        "takes effect with clientAuth: required or optional only");
            }
        } else if (clientCaFile == null && !trustsFingerprints(allowedPeers)) {
            throw new SettingException(
                    CLIENT_AUTH,
                    "needs clientCaFile, the certificates that may sign those of clients; or allowedPeers with nothing but SHA256:"
                            + " fingerprints");
        }
    }

    /** Settings without client certificates. */
    public static TlsServerSettings of(Path certificateFile, Path keyFile) {
        return new TlsServerSettings(
                certificateFile, keyFile, null, ClientAuth.NONE, List.of(), Settings.DEFAULTS.get(HANDSHAKE_TIMEOUT));
    }

    /** Settings with the values of the constants; null without a certificate or its key. */
    public static @Nullable TlsServerSettings of(Settings values) {
        Path certificateFile = values.find(CERTIFICATE_FILE);
        Path keyFile = values.find(KEY_FILE);
        List<String> allowed = values.find(ALLOWED_PEERS);
        return certificateFile == null || keyFile == null
                ? null
                : new TlsServerSettings(
                        certificateFile,
                        keyFile,
                        values.find(CLIENT_CA_FILE),
                        values.get(CLIENT_AUTH),
                        allowed == null
                                ? List.of()
                                : allowed.stream().map(AllowedPeer::parse).toList(),
                        values.get(HANDSHAKE_TIMEOUT));
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
                            "accepts 32 bytes in hexadecimal after SHA256:, as 'openssl x509 -noout"
                                    + " -fingerprint -sha256' prints them, not '" + text + "'");
                }
                return new AllowedPeer(FINGERPRINT + digits);
            }
            if (!NAME.matcher(lower).matches()) {
                throw new IllegalArgumentException(
                        "accepts a name such as web1.example.com, *.example.com, or SHA256: and a"
                                + " fingerprint, not '" + text + "'");
            }
            if (PeerName.network(lower) != null && PeerName.address(lower) == null) {
                throw new IllegalArgumentException(
                        "accepts names and addresses as certificates have them, and no networks: policy.allow accepts '"
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
