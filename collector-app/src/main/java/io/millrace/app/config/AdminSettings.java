package io.millrace.app.config;

import io.millrace.internal.tls.TlsFileCheck;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of admin HTTP: the section {@code admin}.
 *
 * @param address the address it listens on
 * @param token the token that requests need; null for none
 * @param certificateFile the server's certificate chain; null for HTTP without TLS
 * @param keyFile its private key; null without a certificate
 */
public record AdminSettings(
        InetSocketAddress address,
        @Nullable String token,
        @Nullable Path certificateFile,
        @Nullable Path keyFile) {
    public static final Setting<Optional<ListenAddress>> LISTEN = Setting.withDefault(
            "listen",
            ConfigTypes.ADDRESS_OR_OFF,
            "127.0.0.1:9514",
            "The address of admin HTTP. An address that other hosts can reach requires a `token`, or TLS.");

    public static final Setting<String> TOKEN = Setting.optional(
            "token",
            SettingTypes.TOKEN,
            "none",
            "The token that requests must send as `Authorization: Bearer TOKEN`; `${file:/path}` keeps it in a"
                    + " file. Only `/healthz`, `/readyz` and the page's own files need none.");

    public static final Setting<Path> CERTIFICATE_FILE = Setting.optional(
            "certificateFile",
            SettingTypes.PATH,
            "none, and no TLS",
            "The server's certificate chain, in PEM; needs `keyFile`.");

    public static final Setting<Path> KEY_FILE = Setting.optional(
            "keyFile", SettingTypes.PATH, "none", "Its private key, in PEM (PKCS#8, PKCS#1 or SEC 1), not encrypted.");

    public static final Section SECTION = Section.of(
            "admin",
            "Admin HTTP: the page, health, metrics and the ledger.",
            LISTEN,
            TOKEN,
            CERTIFICATE_FILE,
            KEY_FILE);

    static @Nullable AdminSettings of(Bound bound) {
        ListenAddress listen = bound.get(LISTEN).orElse(null);
        if (listen == null) {
            return null;
        }
        AdminSettings settings = new AdminSettings(
                listen.address(), bound.find(TOKEN), bound.find(CERTIFICATE_FILE), bound.find(KEY_FILE));
        settings.check(bound);
        return settings;
    }

    /** Reads the files of admin HTTP; reports what is wrong with them. */
    static void checkFiles(Config config, FileProblems problems) {
        AdminSettings admin = config.admin();
        if (admin != null && admin.certificateFile != null && admin.keyFile != null) {
            problems.add(
                    SECTION.key(),
                    config.all().get(SECTION),
                    Map.of(TlsFileCheck.Part.CERTIFICATE, CERTIFICATE_FILE, TlsFileCheck.Part.KEY, KEY_FILE),
                    new TlsFileCheck().own(admin.certificateFile, admin.keyFile));
        }
    }

    private void check(Bound bound) {
        List<Problem> problems = new ArrayList<>();
        if ((certificateFile == null) != (keyFile == null)) {
            Setting<?> there = certificateFile == null ? KEY_FILE : CERTIFICATE_FILE;
            Setting<?> missing = certificateFile == null ? CERTIFICATE_FILE : KEY_FILE;
            add(problems, bound, there, "requires " + missing.key() + " beside it");
        }
        if (!address.getAddress().isLoopbackAddress() && token == null && certificateFile == null) {
            add(
                    problems,
                    bound,
                    LISTEN,
                    "can be reached from other hosts, and logs are confidential: it needs admin.token, or"
                            + " admin.certificateFile and admin.keyFile, or an address such as 127.0.0.1:"
                            + address.getPort());
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    private static void add(List<Problem> problems, Bound bound, Setting<?> setting, String text) {
        Mark mark = bound.mark(setting);
        if (mark != null) {
            problems.add(Problem.of(mark, SECTION.key() + "." + setting.key(), text));
        }
    }

    /** True if only this host can connect. */
    public boolean isLocal() {
        return address.getAddress().isLoopbackAddress();
    }
}
