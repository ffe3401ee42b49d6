package io.millrace.app.config;

import io.millrace.app.tls.TlsSettings;
import io.millrace.internal.tls.TlsFileCheck;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The TLS settings of outputs. */
public final class TlsOptions {
    public static final Setting<Path> CA_FILE = Setting.optional(
            "caFile",
            SettingTypes.PATH,
            "what Java trusts",
            "Certificates to trust over TLS, in PEM; then no others are.");

    public static final Setting<Path> CERTIFICATE_FILE = Setting.optional(
            "certificateFile",
            SettingTypes.PATH,
            "none",
            "This host's certificate chain for TLS, in PEM; needs `keyFile`.");

    public static final Setting<Path> KEY_FILE = Setting.optional(
            "keyFile", SettingTypes.PATH, "none", "Its private key, in PEM (PKCS#8, PKCS#1 or SEC 1), not encrypted.");

    public static final Setting<Boolean> VERIFY_HOSTNAME = Setting.withDefault(
            "verifyHostname",
            SettingTypes.SWITCH,
            "on",
            "Whether the destination's certificate must match its host name.");

    private static final List<Setting<?>> ALL = List.of(CA_FILE, CERTIFICATE_FILE, KEY_FILE, VERIFY_HOSTNAME);

    private TlsOptions() {}

    /**
     * Reports these settings in a section without TLS: somebody thinks that what is sent is encrypted.
     *
     * @param path the section
     * @param forWhat with what they take effect, such as {@code transport: tls}
     * @param instead what the section has instead, such as {@code this output has transport: tcp}
     */
    public static void reportUnused(
            String path, Bound settings, String forWhat, String instead, List<Problem> problems) {
        for (Setting<?> setting : ALL) {
            Mark mark = settings.mark(setting);
            // What config show prints can be read again.
            if (mark != null && !settings.isDefault(setting)) {
                problems.add(Problem.of(
                        mark, path + "." + setting.key(), "takes effect with " + forWhat + " only, and " + instead));
            }
        }
    }

    /** Reports these settings in a section whose URL begins with {@code http://}. */
    public static void reportUnused(String path, Bound settings, @Nullable URI url, List<Problem> problems) {
        if (url != null && "http".equals(url.getScheme())) {
            reportUnused(path, settings, "https://", "this URL begins with http://", problems);
        }
    }

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
