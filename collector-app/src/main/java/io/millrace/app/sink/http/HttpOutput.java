package io.millrace.app.sink.http;

import io.millrace.app.config.Bound;
import io.millrace.app.config.FileProblems;
import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.OutputSettings;
import io.millrace.app.config.OutputType;
import io.millrace.app.config.PlainText;
import io.millrace.app.config.Problem;
import io.millrace.app.config.TlsOptions;
import io.millrace.app.sink.name.NameLimit;
import io.millrace.internal.format.JsonFormat;
import io.millrace.message.LineFormat;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code type: http}. */
public final class HttpOutput implements OutputType {
    static final Setting<URI> URL =
            Setting.required("url", SettingTypes.URL, "The URL; for `bulk` and `loki` the path may be omitted.");

    static final Setting<HttpSinkSettings.Shape> SHAPE = Setting.withDefault(
            "shape",
            SettingTypes.oneOf(HttpSinkSettings.Shape.class),
            "ndjson",
            "ndjson: one line per message; bulk: OpenSearch and Elasticsearch, where a resent message does not"
                    + " become a second document; loki: Grafana Loki.");

    static final Setting<String> INDEX = Setting.withDefault(
            "index",
            SettingTypes.TEXT,
            "millrace-{date}",
            "For bulk: the index; `{date}` is the day of the receive time in UTC, `2026.11.21`.");

    static final Setting<Map<String, String>> LABELS = Setting.optional(
            "labels",
            SettingTypes.TEXT_BY_NAME,
            "job: millrace",
            "For loki: labels by name. A value is a text, or a field in braces with few values, such as `{hostname}`. A label"
                    + " whose field a message does not have is left out; a message without any label gets `job: millrace`.");

    static final Setting<Map<String, String>> HEADERS = Setting.optional(
            "headers", SettingTypes.SECRET_BY_NAME, "none", "Headers of each request, such as `X-Scope-OrgID`.");

    static final Setting<String> USER =
            Setting.optional("user", SettingTypes.TEXT, "none", "The user, with `password`.");

    static final Setting<String> PASSWORD = Setting.optional(
            "password", SettingTypes.SECRET, "none", "The password of `user`: `${file:/path}` keeps it in a file.");

    static final Setting<String> TOKEN =
            Setting.optional("token", SettingTypes.SECRET, "none", "A bearer token, instead of user and password.");

    static final Setting<HttpSinkSettings.Compression> COMPRESSION = Setting.withDefault(
            "compression",
            SettingTypes.oneOf(HttpSinkSettings.Compression.class),
            "gzip",
            "The compression of requests; not every server accepts zstd.");

    static final Setting<Duration> CONNECT_TIMEOUT =
            Setting.withDefault("connectTimeout", SettingTypes.DURATION, "10s", "The time limit for connecting.");

    static final Setting<Duration> TIMEOUT = Setting.withDefault(
            "timeout",
            SettingTypes.DURATION,
            "30s",
            "The time limit for a complete response; then the request is resent.");

    static final NameLimit.Settings NAMES = NameLimit.Settings.of(
            "streams of Loki",
            HttpSink.MAX_STREAMS,
            HttpSink.MAX_NEW_STREAMS,
            "Further messages have `@other` as the value of each label with a field.");

    @Override
    public String name() {
        return "http";
    }

    @Override
    public String help() {
        return "Posts messages in batches, one request at a time.";
    }

    @Override
    public Section settings() {
        return Section.of(
                URL,
                SHAPE,
                INDEX,
                LABELS,
                NAMES.max(),
                NAMES.perMinute(),
                HEADERS,
                USER,
                PASSWORD,
                TOKEN,
                COMPRESSION,
                CONNECT_TIMEOUT,
                TIMEOUT,
                TlsOptions.CA_FILE,
                TlsOptions.CERTIFICATE_FILE,
                TlsOptions.KEY_FILE,
                TlsOptions.VERIFY_HOSTNAME);
    }

    @Override
    public void check(OutputConfig output, List<Problem> problems) {
        TlsOptions.reportUnused(
                FileProblems.path(output), output.settings(), output.settings().get(URL), problems);
    }

    @Override
    public List<String> warnings(OutputConfig output) {
        Bound settings = output.settings();
        Map<String, String> headers = settings.find(HEADERS);
        String warning = PlainText.warning(
                settings.get(URL),
                settings.find(PASSWORD) != null
                        ? List.of(PASSWORD.key())
                        : settings.find(TOKEN) != null ? List.of(TOKEN.key()) : List.of(),
                headers == null ? List.of() : headers.keySet());
        return warning == null ? List.of() : List.of(warning);
    }

    @Override
    public void checkFiles(OutputConfig output, FileProblems problems) {
        if ("https".equals(output.settings().get(URL).getScheme())) {
            TlsOptions.checkFiles(output, problems);
        }
    }

    @Override
    public String connect(OutputConfig output, Duration limit) throws IOException, InterruptedException {
        return HttpProbe.ask(sinkSettings(output.settings()).timeouts(limit, limit));
    }

    @Override
    public Sink sink(OutputConfig output, ZoneId timeZone) {
        Bound settings = output.settings();
        return new HttpSink(
                sinkSettings(settings), format(settings), NAMES.limit(settings), HttpSink.DOUBT, HttpSink.SEARCH);
    }

    private static HttpSinkSettings sinkSettings(Bound settings) {
        Map<String, String> headers = settings.find(HEADERS);
        Map<String, String> labels = settings.find(LABELS);
        return new HttpSinkSettings(
                settings.get(URL),
                settings.get(SHAPE),
                headers == null ? Map.of() : headers,
                credentials(settings),
                settings.get(COMPRESSION),
                settings.get(INDEX),
                labels == null ? Map.of("job", "millrace") : labels,
                settings.get(CONNECT_TIMEOUT),
                settings.get(TIMEOUT),
                TlsOptions.of(settings));
    }

    private static LineFormat format(Bound settings) {
        LineFormat format = settings.get(OutputSettings.FORMAT);
        if (settings.get(SHAPE) == HttpSinkSettings.Shape.BULK && !(format instanceof JsonFormat)) {
            throw new IllegalArgumentException("format takes json for the shape bulk");
        }
        return format;
    }

    private static @Nullable HttpCredentials credentials(Bound settings) {
        String user = settings.find(USER);
        String password = settings.find(PASSWORD);
        String token = settings.find(TOKEN);
        if ((user == null) != (password == null) || (token != null && user != null)) {
            throw new IllegalArgumentException("user and password go together, and token in their place");
        }
        return token != null
                ? HttpCredentials.bearer(token)
                : user != null && password != null ? HttpCredentials.basic(user, password) : null;
    }
}
