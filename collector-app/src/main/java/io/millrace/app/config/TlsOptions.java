package io.millrace.app.config;

import io.millrace.app.tls.TlsSettings;
import io.millrace.tls.TlsFileCheck;
import java.nio.file.Path;
import java.util.Map;

/** The TLS settings of outputs. */
public final class TlsOptions {
    public static final Setting<Path> CA_FILE = Setting.optional(
            "caFile",
            ValueTypes.PATH,
            "what Java trusts",
            "Certificates to trust over TLS, in PEM; then no others are.");

    public static final Setting<Path> CERTIFICATE_FILE = Setting.optional(
            "certificateFile",
            ValueTypes.PATH,
            "none",
            "This host's certificate chain for TLS, in PEM; needs `keyFile`.");

    public static final Setting<Path> KEY_FILE =
            Setting.optional("keyFile", ValueTypes.PATH, "none", "Its private key, in PEM (PKCS#8, not encrypted).");

    public static final Setting<Boolean> VERIFY_HOSTNAME = Setting.withDefault(
            "verifyHostname",
            ValueTypes.SWITCH,
            "on",
            "Whether the destination's certificate must match its host name.");

    private TlsOptions() {}

    /** Reads the files of an output on TLS; reports what is wrong with them. */
    public static void checkFiles(OutputConfig output, FileProblems problems) {
        checkFiles(FileProblems.path(output), output.settings(), problems);
    }

    /** Checks the files of a section with these settings. */
    static void checkFiles(String path, Bound settings, FileProblems problems) {
        problems.add(
                path,
                settings,
                Map.of(
                        TlsFileCheck.Part.CERTIFICATE,
                        CERTIFICATE_FILE,
                        TlsFileCheck.Part.KEY,
                        KEY_FILE,
                        TlsFileCheck.Part.TRUST,
                        CA_FILE),
                new TlsFileCheck()
                        .client(settings.find(CA_FILE), settings.find(CERTIFICATE_FILE), settings.find(KEY_FILE)));
    }

    public static TlsSettings of(Bound settings) {
        return new TlsSettings(
                settings.find(CA_FILE),
                settings.find(CERTIFICATE_FILE),
                settings.find(KEY_FILE),
                settings.get(VERIFY_HOSTNAME));
    }
}
