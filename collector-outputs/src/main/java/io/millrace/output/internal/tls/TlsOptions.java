package io.millrace.output.internal.tls;

import io.millrace.internal.tls.TlsFileCheck;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The TLS settings of a client. */
public final class TlsOptions {
    public static final Setting<Path> CA_FILE = Setting.optional(
            "caFile", SettingTypes.PATH, "what Java trusts", "CA certificates (PEM) to trust instead of Java's.");

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

    /** In the order of the reference. */
    public static final List<Setting<?>> ALL = List.of(CA_FILE, CERTIFICATE_FILE, KEY_FILE, VERIFY_HOSTNAME);

    private TlsOptions() {}

    /**
     * Checks that nothing is set where there is no TLS: somebody would think that what is sent is encrypted. A default is allowed,
     * because {@code config show} prints it.
     *
     * @param forWhat with what the settings take effect, such as {@code transport: tls}
     * @param instead what there is instead, such as {@code this output has transport: tcp}
     * @throws SettingException for the first one; those for others are suppressed exceptions of it
     */
    public static void checkUnused(Settings values, String forWhat, String instead) {
        SettingException first = null;
        for (Setting<?> setting : ALL) {
            if (values.isSet(setting) && !isDefault(values, setting)) {
                SettingException unused =
                        new SettingException(setting, "takes effect with " + forWhat + " only, and " + instead);
                if (first == null) {
                    first = unused;
                } else {
                    first.addSuppressed(unused);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static <T> boolean isDefault(Settings values, Setting<T> setting) {
        return values.get(setting).equals(setting.defaultValue());
    }

    /** Checks that nothing is set where a URL begins with {@code http://}. */
    public static void checkUnused(Settings values, @Nullable URI url) {
        if (url != null && "http".equals(url.getScheme())) {
            checkUnused(values, "https://", "this URL begins with http://");
        }
    }

    /** Reads the files. */
    public static List<TlsFileCheck.Finding> checkFiles(Settings values) {
        return new TlsFileCheck()
                .client(values.find(CA_FILE), values.find(CERTIFICATE_FILE), values.find(KEY_FILE))
                .findings();
    }

    /** The setting that names a file. */
    public static Setting<Path> setting(TlsFileCheck.Part part) {
        return switch (part) {
            case CERTIFICATE -> CERTIFICATE_FILE;
            case KEY -> KEY_FILE;
            case TRUST -> CA_FILE;
        };
    }

    /** The settings of a TLS context. */
    public static TlsSettings of(Settings values) {
        return new TlsSettings(
                values.find(CA_FILE),
                values.find(CERTIFICATE_FILE),
                values.find(KEY_FILE),
                values.get(VERIFY_HOSTNAME));
    }
}
