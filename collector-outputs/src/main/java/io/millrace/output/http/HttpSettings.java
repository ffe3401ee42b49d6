package io.millrace.output.http;

import io.millrace.message.LineFormat;
import io.millrace.output.BatchSettings;
import io.millrace.output.Compression;
import io.millrace.output.OutputSettings;
import io.millrace.output.OutputType;
import io.millrace.output.internal.http.HttpConnection;
import io.millrace.output.internal.http.HttpPost;
import io.millrace.output.internal.name.NameLimit;
import io.millrace.output.internal.name.NameSettings;
import io.millrace.output.internal.secret.PlainText;
import io.millrace.output.internal.tls.TlsOptions;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Settings of an output over HTTP: to a server of your own, OpenSearch, Elasticsearch or Grafana Loki. */
public final class HttpSettings extends OutputSettings {
    static final Setting<URI> URL =
            Setting.required("url", SettingTypes.URL, "The URL; for `bulk` and `loki` the path may be omitted.");

    static final Setting<Shape> SHAPE = Setting.withDefault(
            "shape",
            SettingTypes.oneOf(Shape.class),
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

    static final Setting<Compression> COMPRESSION = Setting.withDefault(
            "compression",
            SettingTypes.oneOf(Compression.class),
            "gzip",
            "The compression of requests; not every server accepts zstd.");

    static final Setting<Duration> CONNECT_TIMEOUT =
            Setting.withDefault("connectTimeout", SettingTypes.DURATION, "10s", "The time limit for connecting.");

    static final Setting<Duration> TIMEOUT = Setting.withDefault(
            "timeout",
            SettingTypes.DURATION,
            "30s",
            "The time limit for a complete response; then the request is resent.");

    private static final NameSettings NAMES = NameSettings.of(
            "streams of Loki", 2_000, 500, "Further messages have `@other` as the value of each label with a field.");

    /** The type {@code http}. */
    public static final OutputType TYPE = new OutputType(
            "http",
            "Posts messages in batches, one request at a time.",
            List.of(
                    FORMAT,
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
                    TlsOptions.VERIFY_HOSTNAME),
            BatchSettings.LARGE,
            HttpSettings::new);

    private static final String DATE = "{date}";
    private static final Pattern INDEX_NAME =
            Pattern.compile("[^-_+\\s\\p{Lu}{}\\\\/*?\"<>|,#:][^\\s\\p{Lu}{}\\\\/*?\"<>|,#:]*");

    /** The form of requests. */
    public enum Shape {
        /** One line per record. */
        NDJSON("application/x-ndjson", ""),
        /** The bulk interface of OpenSearch and Elasticsearch. */
        BULK("application/x-ndjson", "/_bulk"),
        /** The push interface of Grafana Loki, in JSON. */
        LOKI("application/json", "/loki/api/v1/push");

        private final String contentType;
        private final String path;

        Shape(String contentType, String path) {
            this.contentType = contentType;
            this.path = path;
        }
    }

    private final HttpConnection.Limits limits;
    private final @Nullable String authorization;

    private HttpSettings(Settings values) {
        super(TYPE, values);
        values.get(COMPRESSION).checkLibrary();
        URI url = values.get(URL);
        String scheme = String.valueOf(url.getScheme());
        check(
                (scheme.equals("http") || scheme.equals("https")) && url.getHost() != null,
                URL,
                bare(url),
                "http:// or https://");
        check(url.getUserInfo() == null, URL, "one with a user", "a user and a password in settings of their own");
        // First of what contradicts: somebody would think that what is sent is encrypted.
        TlsOptions.checkUnused(values, url);
        limits = new HttpConnection.Limits(timeLimit(CONNECT_TIMEOUT), timeLimit(TIMEOUT));
        String index = values.get(INDEX);
        check(
                shape() != Shape.BULK
                        || INDEX_NAME.matcher(index.replace(DATE, "0")).matches(),
                INDEX,
                "'" + index + "'",
                "the name of an index in small letters, with {date} if you like");
        if (shape() == Shape.LOKI) {
            LokiShape.checkLabels(labels());
        }
        if (shape() == Shape.BULK && !values.get(FORMAT).isJson()) {
            throw new SettingException(FORMAT, "takes json for the shape bulk");
        }
        authorization = HttpCredentials.authorization(values);
    }

    /** Begins with the defaults: only the URL is required. */
    public static Builder builder() {
        return new Builder();
    }

    static void check(boolean good, Setting<?> setting, Object got, String takes) {
        if (!good) {
            throw new SettingException(setting, "takes " + takes + ", not " + got);
        }
    }

    /** Omits possible secrets. */
    private static String bare(URI url) {
        String text = url.toString().replaceFirst("[?#].*", "");
        return text.contains("@") ? "one with a user" : text;
    }

    Shape shape() {
        return values().get(SHAPE);
    }

    /** By name, in a constant order. */
    Map<String, String> labels() {
        return Collections.unmodifiableMap(
                new TreeMap<>(Objects.requireNonNullElse(values().find(LABELS), Map.of("job", "millrace"))));
    }

    /**
     * What writes requests.
     *
     * @param limit the limit of streams from messages
     */
    RequestShape form(NameLimit limit) {
        LineFormat format = values().get(FORMAT);
        return switch (shape()) {
            case NDJSON -> new LineShape(format);
            case BULK -> new BulkShape(format, values().get(INDEX));
            case LOKI -> new LokiShape(format, labels(), limit);
        };
    }

    /** The URL of requests: the path of the interface is added if there is none. */
    URI target() {
        URI url = values().get(URL);
        String path = url.getRawPath();
        return path == null || path.isEmpty() || path.equals("/") ? url.resolve(shape().path) : url;
    }

    /** The URL for messages, without its query, which may contain a secret. */
    String place() {
        URI target = target();
        return target.getScheme() + "://" + target.getRawAuthority() + target.getRawPath();
    }

    /** A client for requests within these limits. */
    HttpPost post(HttpConnection.Limits limits) {
        HttpPost post = new HttpPost(target(), values().get(COMPRESSION), limits, TlsOptions.of(values()))
                .header("Content-Type", shape().contentType);
        Map<String, String> headers = values().find(HEADERS);
        if (headers != null) {
            headers.forEach(post::header);
        }
        return authorization == null ? post : post.header("Authorization", authorization);
    }

    HttpPost post() {
        return post(limits);
    }

    NameLimit limit() {
        return NAMES.limit(values());
    }

    @Override
    public Sink sink(String output) {
        return sink(limit(), HttpSink.DOUBT, HttpSink.SEARCH);
    }

    /** Creates a sink with other limits. */
    HttpSink sink(NameLimit limit, Duration doubt, Duration search) {
        return new HttpSink(this, limit, doubt, search);
    }

    @Override
    public List<String> warnings(int batchBytes) {
        Map<String, String> headers = values().find(HEADERS);
        String warning = PlainText.warning(
                values().get(URL),
                values().isSet(PASSWORD)
                        ? List.of(PASSWORD.key())
                        : values().isSet(TOKEN) ? List.of(TOKEN.key()) : List.of(),
                headers == null ? List.of() : headers.keySet());
        return warning == null ? List.of() : List.of(warning);
    }

    @Override
    public List<FileFinding> checkFiles() {
        return "https".equals(values().get(URL).getScheme()) ? checkTlsFiles() : List.of();
    }

    @Override
    public String connect(String output, Duration limit) throws IOException, InterruptedException {
        return HttpProbe.ask(this, new HttpConnection.Limits(limit, limit));
    }

    /** Omits headers, which may contain a secret. */
    @Override
    public String toString() {
        return shape() + " to " + place();
    }

    /** Builder of settings, whose names, meanings and defaults are those of the configuration reference. One thread. */
    public static final class Builder extends TlsBuilder<Builder> {
        private Builder() {}

        /** The format of messages. {@link Shape#BULK} requires JSON. */
        public Builder format(LineFormat format) {
            return set(FORMAT, format);
        }

        /** The URL; for {@link Shape#BULK} and {@link Shape#LOKI} the path may be omitted. Required. */
        public Builder url(URI url) {
            return set(URL, url);
        }

        public Builder shape(Shape shape) {
            return set(SHAPE, shape);
        }

        /** For {@link Shape#BULK}: the index; <code>{date}</code> is the day of the receive time in UTC. */
        public Builder index(String index) {
            return set(INDEX, index);
        }

        /** For {@link Shape#LOKI}: labels by name. A value is a text, or a field in braces with few values. */
        public Builder labels(Map<String, String> labels) {
            return set(LABELS, Map.copyOf(labels));
        }

        /** The limit of streams that fields of messages name within a day. */
        public Builder maxNames(int names) {
            return set(NAMES.max(), names);
        }

        /** The limit of new streams that fields of messages name per minute. */
        public Builder maxNewNames(int names) {
            return set(NAMES.perMinute(), names);
        }

        public Builder headers(Map<String, String> headers) {
            return set(HEADERS, Map.copyOf(headers));
        }

        public Builder user(String user) {
            return set(USER, user);
        }

        public Builder password(String password) {
            return set(PASSWORD, password);
        }

        public Builder token(String token) {
            return set(TOKEN, token);
        }

        public Builder compression(Compression compression) {
            return set(COMPRESSION, compression);
        }

        public Builder connectTimeout(Duration limit) {
            return set(CONNECT_TIMEOUT, limit);
        }

        public Builder timeout(Duration limit) {
            return set(TIMEOUT, limit);
        }

        /** Checks the settings together. */
        public HttpSettings build() {
            return new HttpSettings(values());
        }
    }
}
