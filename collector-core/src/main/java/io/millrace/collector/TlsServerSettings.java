package io.millrace.collector;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
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
}
