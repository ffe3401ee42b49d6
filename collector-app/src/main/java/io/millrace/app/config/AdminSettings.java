package io.millrace.app.config;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How admin HTTP is reached: the section {@code admin}.
 *
 * @param address where it listens
 * @param token what requests have to show; null for nothing
 * @param certificateFile the server's certificate, then those it was signed with; null for HTTP without TLS
 * @param keyFile its private key; null without a certificate
 */
public record AdminSettings(
        InetSocketAddress address,
        @Nullable String token,
        @Nullable Path certificateFile,
        @Nullable Path keyFile) {
    /** Where. */
    public static final Setting<Optional<ListenAddress>> LISTEN = Setting.withDefault(
            "listen",
            ValueTypes.ADDRESS_OR_OFF,
            "127.0.0.1:9514",
            "Where admin HTTP listens. Elsewhere than on this host alone it takes a `token`, or TLS.");

    /** The token. */
    public static final Setting<String> TOKEN = Setting.optional(
            "token",
            ValueTypes.TOKEN,
            "none",
            "What a request has to have as `Authorization: Bearer TOKEN`; `${file:/path}` keeps it in a file. Only `/healthz`,"
                    + " `/readyz` and the page's own files go without.");

    /** The certificate. */
    public static final Setting<Path> CERTIFICATE_FILE = Setting.optional(
            "certificateFile",
            ValueTypes.PATH,
            "none, and no TLS",
            "The server's certificate, in PEM, and those it was signed with; needs `keyFile`.");

    /** The key. */
    public static final Setting<Path> KEY_FILE =
            Setting.optional("keyFile", ValueTypes.PATH, "none", "Its private key, in PEM (PKCS#8, not encrypted).");

    /** All of them. */
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

    private void check(Bound bound) {
        List<Problem> problems = new ArrayList<>();
        if ((certificateFile == null) != (keyFile == null)) {
            Setting<?> there = certificateFile == null ? KEY_FILE : CERTIFICATE_FILE;
            Setting<?> missing = certificateFile == null ? CERTIFICATE_FILE : KEY_FILE;
            add(problems, bound, there, "takes " + missing.key() + " beside it");
        }
        if (!address.getAddress().isLoopbackAddress() && token == null && certificateFile == null) {
            add(
                    problems,
                    bound,
                    LISTEN,
                    "can be reached from other hosts, where logs are nobody's business: it takes admin.token, or"
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

    /** True if only this host can reach it. */
    public boolean isLocal() {
        return address.getAddress().isLoopbackAddress();
    }
}
