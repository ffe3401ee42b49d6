package io.millrace.app.config;

import io.millrace.collector.TlsServerSettings;
import io.millrace.collector.TlsServerSettings.AllowedPeer;
import io.millrace.collector.TlsServerSettings.ClientAuth;
import io.millrace.internal.tls.TlsFileCheck;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class TlsInputSettings {
    static final Setting<Path> CERTIFICATE_FILE = Setting.optional(
            "certificateFile",
            SettingTypes.PATH,
            "none",
            "The server's certificate chain, in PEM, its own certificate first. A changed file is taken within ten seconds.");

    static final Setting<Path> KEY_FILE = Setting.optional(
            "keyFile", SettingTypes.PATH, "none", "Its private key, in PEM (PKCS#8, PKCS#1 or SEC 1), not encrypted.");

    static final Setting<Path> CLIENT_CA_FILE = Setting.optional(
            "clientCaFile",
            SettingTypes.PATH,
            "none",
            "Certificates that may sign those of clients, in PEM; needs `clientAuth`.");

    static final Setting<ClientAuth> CLIENT_AUTH = Setting.withDefault(
            "clientAuth",
            SettingTypes.oneOf(ClientAuth.class),
            "none",
            "Whether clients must show a certificate. With optional, one that is shown must be valid.");

    static final Setting<List<String>> ALLOWED_PEERS = Setting.optional(
            "allowedPeers",
            SettingTypes.texts("a list of names and fingerprints", AllowedPeer::parse),
            "all whose certificate is trusted",
            "Clients that are allowed, by a name or an address in the certificate (`web1.example.com`, `*.example.com`, `2001:db8::1`) or by its"
                    + " fingerprint (`SHA256:…`). The name is kept with each message, as `tls_peer`.");

    static final Setting<Duration> HANDSHAKE_TIMEOUT = Setting.withDefault(
            "handshakeTimeout",
            SettingTypes.DURATION,
            "10s",
            "How long a connection may take until the handshake is done.");

    static final List<Setting<?>> ALL =
            List.of(CERTIFICATE_FILE, KEY_FILE, CLIENT_CA_FILE, CLIENT_AUTH, ALLOWED_PEERS, HANDSHAKE_TIMEOUT);

    static final Section SECTION = Section.of(
            "tls",
            "The TLS of an input on `tls://` or `relp://`: versions 1.2 and 1.3. RELP has no TLS without it.",
            ALL.toArray(new Setting<?>[0]));

    private TlsInputSettings() {}

    /** The section as options of {@code run} give it. */
    static Tree.Member member(Mark mark, @Nullable String certificateFile, @Nullable String keyFile) {
        List<Tree.Member> files = new ArrayList<>();
        if (certificateFile != null) {
            files.add(new Tree.Member(mark, CERTIFICATE_FILE.key(), Tree.Scalar.of(mark, certificateFile)));
        }
        if (keyFile != null) {
            files.add(new Tree.Member(mark, KEY_FILE.key(), Tree.Scalar.of(mark, keyFile)));
        }
        return new Tree.Member(mark, SECTION.key(), new Tree.Mapping(mark, files));
    }

    /** The settings of an input; null if it has no certificate. */
    static @Nullable TlsServerSettings of(Bound tls) {
        Path certificateFile = tls.find(CERTIFICATE_FILE);
        Path keyFile = tls.find(KEY_FILE);
        if (certificateFile == null || keyFile == null) {
            return null;
        }
        List<String> allowed = tls.find(ALLOWED_PEERS);
        return new TlsServerSettings(
                certificateFile,
                keyFile,
                tls.find(CLIENT_CA_FILE),
                tls.get(CLIENT_AUTH),
                allowed == null
                        ? List.of()
                        : allowed.stream().map(AllowedPeer::parse).toList(),
                tls.get(HANDSHAKE_TIMEOUT));
    }

    /** Reads the files of an input; reports what is wrong with them. */
    static void checkFiles(String key, Bound tls, FileProblems problems) {
        TlsServerSettings settings = of(tls);
        if (settings != null) {
            problems.add(
                    key,
                    tls,
                    Map.of(
                            TlsFileCheck.Part.CERTIFICATE,
                            CERTIFICATE_FILE,
                            TlsFileCheck.Part.KEY,
                            KEY_FILE,
                            TlsFileCheck.Part.TRUST,
                            CLIENT_CA_FILE),
                    new TlsFileCheck().server(settings));
        }
    }

    /** Reports what is missing, or does not go together, in the section of an input on TLS. */
    static void check(String key, Bound tls, Mark ofInput, List<Problem> problems) {
        for (Setting<Path> file : List.of(CERTIFICATE_FILE, KEY_FILE)) {
            if (tls.mark(file) == null) {
                problems.add(Problem.of(ofInput, key + "." + file.key(), "is missing: an input on TLS needs it"));
            }
        }
        try {
            var unused = of(tls);
        } catch (IllegalArgumentException e) {
            problems.add(Problem.of(ofInput, key, String.valueOf(e.getMessage())));
        }
    }
}
