package io.millrace.app.sink.s3;

import io.millrace.app.config.BatchSettings;
import io.millrace.app.config.Bound;
import io.millrace.app.config.FileProblems;
import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.OutputSettings;
import io.millrace.app.config.OutputType;
import io.millrace.app.config.PlainText;
import io.millrace.app.config.Problem;
import io.millrace.app.config.TlsOptions;
import io.millrace.app.sink.http.HttpConnection;
import io.millrace.app.sink.http.HttpSinkSettings.Compression;
import io.millrace.app.sink.name.NameLimit;
import io.millrace.app.sink.name.NameTemplate;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code type: s3}. */
public final class S3Output implements OutputType {
    /** How many times the bytes of a batch an output may use: two batches, whose memory doubles as it grows. */
    private static final int HEAP_FACTOR = 7;

    static final Setting<String> BUCKET =
            Setting.required("bucket", SettingTypes.TEXT, "The bucket, which must exist.");

    static final Setting<URI> ENDPOINT = Setting.optional(
            "endpoint",
            SettingTypes.URL,
            "Amazon S3 in the `region`",
            "The server, such as `https://minio.example.com:9000`.");

    static final Setting<String> REGION = Setting.withDefault(
            "region", SettingTypes.TEXT, "us-east-1", "The region of the bucket; most servers but Amazon's take any.");

    static final Setting<S3Place.Addressing> ADDRESSING = Setting.optional(
            "addressing",
            SettingTypes.oneOf(S3Place.Addressing.class),
            "`path` with an `endpoint`, `virtual` without",
            "Where the bucket's name is in a URL; path: `https://HOST/BUCKET/KEY`, virtual: `https://BUCKET.HOST/KEY`.");

    static final Setting<NameTemplate> PREFIX = Setting.withDefault(
            "prefix",
            SettingTypes.parsed("TEXT", "the beginning of a key; it may have fields in braces", S3Output::prefix),
            "{date}/",
            "The beginning of the objects' keys, with fields of the message and of the receive time in braces, as in the"
                    + " `path` of a file output: `logs/{date}/{hostname}/`. The rest of a key names the messages in the object,"
                    + " see docs/operate/delivery.md.");

    static final Setting<Compression> COMPRESSION = Setting.withDefault(
            "compression", SettingTypes.oneOf(Compression.class), "gzip", "The compression of objects.");

    static final Setting<String> ACCESS_KEY = Setting.optional(
            "accessKey",
            SettingTypes.SECRET,
            "the environment variable `AWS_ACCESS_KEY_ID`",
            "The id of the key, with `secretKey`.");

    static final Setting<String> SECRET_KEY = Setting.optional(
            "secretKey",
            SettingTypes.SECRET,
            "the environment variable `AWS_SECRET_ACCESS_KEY`",
            "The secret of the key: `${file:/path}` keeps it in a file.");

    static final Setting<String> SESSION_TOKEN = Setting.optional(
            "sessionToken",
            SettingTypes.SECRET,
            "none; without `accessKey`, the environment variable `AWS_SESSION_TOKEN`",
            "The token of a temporary key. It is read at the start and at a reload; nothing renews it.");

    static final Setting<Duration> CONNECT_TIMEOUT =
            Setting.withDefault("connectTimeout", SettingTypes.DURATION, "10s", "The time limit for connecting.");

    static final Setting<Duration> TIMEOUT = Setting.withDefault(
            "timeout", SettingTypes.DURATION, "60s", "The time limit for putting an object; then it is put again.");

    static final NameLimit.Settings NAMES = NameLimit.Settings.of(
            "prefixes",
            S3Sink.MAX_PREFIXES,
            S3Sink.MAX_NEW_PREFIXES,
            "Further messages go to the prefix with `@other` in the place of each field.");

    private final Map<String, String> environment;

    /** Creates the type, with the environment of this process. */
    public S3Output() {
        this(System.getenv());
    }

    S3Output(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    private static NameTemplate prefix(String text) {
        boolean isPath = !text.startsWith("/")
                && !text.contains("//")
                && List.of(text.split("/", -1)).stream().noneMatch(each -> each.equals(".") || each.equals(".."));
        if (!isPath) {
            throw new IllegalArgumentException(
                    "it does not begin with a slash, and has neither '//' nor '.' or '..' between slashes");
        }
        // A date is the longest of what a prefix has in place of a field if that is left out.
        if (text.replaceAll("\\{[^}]*}", "2026-11-26").length() > S3Sink.maxPrefixLength()) {
            throw new IllegalArgumentException("it has at most " + S3Sink.maxPrefixLength() + " characters");
        }
        if (!text.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new IllegalArgumentException("it has ASCII characters only");
        }
        return NameTemplate.parse(text);
    }

    @Override
    public String name() {
        return "s3";
    }

    @Override
    public String help() {
        return "Puts messages into a bucket of Amazon S3 or of a server with its interface, one per line; a batch is an object.";
    }

    @Override
    public Section settings() {
        return Section.of(
                BUCKET,
                ENDPOINT,
                REGION,
                ADDRESSING,
                PREFIX,
                NAMES.max(),
                NAMES.perMinute(),
                COMPRESSION,
                ACCESS_KEY,
                SECRET_KEY,
                SESSION_TOKEN,
                CONNECT_TIMEOUT,
                TIMEOUT,
                TlsOptions.CA_FILE,
                TlsOptions.CERTIFICATE_FILE,
                TlsOptions.KEY_FILE,
                TlsOptions.VERIFY_HOSTNAME);
    }

    @Override
    public BatchSettings batch() {
        return BatchSettings.OBJECTS;
    }

    @Override
    public Sink sink(OutputConfig output, ZoneId timeZone) {
        Bound settings = output.settings();
        return new S3Sink(
                output.name(),
                bucket(settings, settings.get(CONNECT_TIMEOUT), settings.get(TIMEOUT)),
                settings.get(OutputSettings.FORMAT),
                settings.get(PREFIX).in(timeZone),
                NAMES.limit(settings),
                settings.get(COMPRESSION));
    }

    private S3Bucket bucket(Bound settings, Duration connect, Duration answer) {
        return new S3Bucket(
                place(settings),
                S3Credentials.of(
                        settings.find(ACCESS_KEY),
                        settings.find(SECRET_KEY),
                        settings.find(SESSION_TOKEN),
                        environment),
                new HttpConnection.Limits(connect, answer),
                TlsOptions.of(settings));
    }

    private static S3Place place(Bound settings) {
        return new S3Place(
                settings.find(ENDPOINT), settings.get(REGION), settings.get(BUCKET), settings.find(ADDRESSING));
    }

    @Override
    public List<String> warnings(OutputConfig output) {
        List<String> warnings = new ArrayList<>(output.settings().get(PREFIX).warnings());
        long bytes = output.settings().get(batch().section()).get(batch().bytes());
        long neededMiB = (HEAP_FACTOR * bytes) >> 20;
        long heapMiB = Runtime.getRuntime().maxMemory() >> 20;
        if (neededMiB > heapMiB) {
            warnings.add("for batch.bytes of " + (bytes >> 20) + " MiB the output may need " + neededMiB
                    + " MiB of heap, and this process may have " + heapMiB
                    + " MiB: take fewer bytes, or a larger heap (MILLRACE_JAVA_OPTS=-Xmx…)");
        }
        URI endpoint = output.settings().find(ENDPOINT);
        // A request has a signature made with the secret key, and not the key.
        boolean hasToken = output.settings().find(SESSION_TOKEN) != null;
        String plain = endpoint == null
                ? null
                : PlainText.warning(endpoint, hasToken ? List.of(SESSION_TOKEN.key()) : List.of(), List.of());
        if (plain != null) {
            warnings.add(plain);
        }
        return warnings;
    }

    @Override
    public void check(OutputConfig output, List<Problem> problems) {
        TlsOptions.reportUnused(
                FileProblems.path(output), output.settings(), output.settings().find(ENDPOINT), problems);
    }

    @Override
    public void checkFiles(OutputConfig output, FileProblems problems) {
        if (place(output.settings()).isSecure()) {
            TlsOptions.checkFiles(output, problems);
        }
    }

    @Override
    public String connect(OutputConfig output, Duration limit) throws IOException, InterruptedException {
        S3Bucket bucket = bucket(output.settings(), limit, limit);
        try {
            return bucket.ask();
        } catch (IOException e) {
            throw new IOException(bucket + ": " + e.getMessage(), e);
        } finally {
            bucket.close();
        }
    }
}
