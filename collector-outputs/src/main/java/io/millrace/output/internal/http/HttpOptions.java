package io.millrace.output.internal.http;

import io.millrace.output.Compression;
import io.millrace.output.OutputType;
import io.millrace.output.internal.tls.TlsOptions;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The settings of all outputs over HTTP. */
public final class HttpOptions {
    public static final Setting<URI> URL =
            Setting.required("url", SettingTypes.URL, "The URL. The path of a known interface may be left out.");

    public static final Setting<Map<String, String>> HEADERS = Setting.optional(
            "headers", SettingTypes.SECRET_BY_NAME, "none", "Headers of each request, such as `X-Scope-OrgID`.");

    public static final Setting<String> USER =
            Setting.optional("user", SettingTypes.TEXT, "none", "The user, with `password`.");

    public static final Setting<String> PASSWORD = Setting.optional(
            "password", SettingTypes.SECRET, "none", "The password of `user`: `${file:/path}` keeps it in a file.");

    public static final Setting<String> TOKEN =
            Setting.optional("token", SettingTypes.SECRET, "none", "A bearer token, instead of user and password.");

    public static final Setting<Compression> COMPRESSION = Setting.withDefault(
            "compression",
            SettingTypes.oneOf(Compression.class),
            "gzip",
            "The compression of requests; not every server accepts zstd.");

    /** The same for servers that read Zstandard, which takes a third of the CPU time. */
    public static final Setting<Compression> ZSTD = Setting.withDefault(
            COMPRESSION.key(),
            COMPRESSION.type(),
            "zstd",
            "The compression of requests; zstd accepts the least CPU time.");

    public static final Setting<Duration> CONNECT_TIMEOUT =
            Setting.withDefault("connectTimeout", SettingTypes.DURATION, "10s", "The time limit for connecting.");

    public static final Setting<Duration> TIMEOUT = Setting.withDefault(
            "timeout",
            SettingTypes.DURATION,
            "30s",
            "The time limit for a complete response; then the request is resent.");

    private HttpOptions() {}

    /** The setting of the compression of a type. */
    public static Setting<Compression> compression(OutputType type) {
        return type.settings().contains(ZSTD) ? ZSTD : COMPRESSION;
    }

    /**
     * The settings of a type, in the order of the reference.
     *
     * @param own those of the type, which come after the URL
     */
    public static List<Setting<?>> with(Setting<?>... own) {
        return with(List.of(USER, PASSWORD, TOKEN), own);
    }

    /**
     * The settings of a type, in the order of the reference.
     *
     * @param credentials those with which the output identifies itself
     * @param own those of the type, which come after the URL
     */
    public static List<Setting<?>> with(List<Setting<?>> credentials, Setting<?>... own) {
        List<Setting<?>> all = new ArrayList<>();
        all.add(URL);
        all.addAll(List.of(own));
        all.add(HEADERS);
        all.addAll(credentials);
        if (!all.contains(ZSTD)) {
            all.add(COMPRESSION);
        }
        all.addAll(List.of(CONNECT_TIMEOUT, TIMEOUT));
        all.addAll(TlsOptions.ALL);
        return all;
    }
}
