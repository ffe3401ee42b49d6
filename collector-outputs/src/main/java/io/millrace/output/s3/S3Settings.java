package io.millrace.output.s3;

import io.millrace.message.LineFormat;
import io.millrace.output.BatchSettings;
import io.millrace.output.Compression;
import io.millrace.output.OutputSettings;
import io.millrace.output.OutputType;
import io.millrace.output.internal.http.HttpConnection;
import io.millrace.output.internal.name.NameSettings;
import io.millrace.output.internal.name.NameTemplate;
import io.millrace.output.internal.secret.PlainText;
import io.millrace.output.internal.tls.TlsOptions;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings of an output to a bucket of Amazon S3, or of a server with its interface. */
public final class S3Settings extends OutputSettings {
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

    static final Setting<Addressing> ADDRESSING = Setting.optional(
            "addressing",
            SettingTypes.oneOf(Addressing.class),
            "`path` with an `endpoint`, `virtual` without",
            "Where the bucket's name is in a URL; path: `https://HOST/BUCKET/KEY`, virtual: `https://BUCKET.HOST/KEY`.");

    static final Setting<NameTemplate> PREFIX = Setting.withDefault(
            "prefix",
            SettingTypes.parsed("TEXT", "the beginning of a key; it may have fields in braces", S3Settings::prefix),
            "{date}/",
            "The beginning of the objects' keys, with fields of the message and of the receive time in braces, as in the"
                    + " `path` of a file output: `logs/{date}/{hostname}/`. The rest of a key names the messages in the object,"
                    + " see docs/outputs/s3.md.");

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

    private static final NameSettings NAMES = NameSettings.of(
            "prefixes", 1_000, 100, "Further messages go to the prefix with `@other` in the place of each field.");

    /** The type {@code s3}. */
    public static final OutputType TYPE = new OutputType(
            "s3",
            "Puts messages into a bucket of Amazon S3 or of a server with its interface, one per line; a batch is an object.",
            List.of(
                    FORMAT,
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
                    TlsOptions.VERIFY_HOSTNAME),
            BatchSettings.OBJECTS,
            values -> new S3Settings(values, System.getenv()));

    /** How a bucket is named in a URL. */
    public enum Addressing {
        /** {@code https://host/bucket/key}. */
        PATH,
        /** {@code https://bucket.host/key}. */
        VIRTUAL
    }

    private final S3Place place;
    private final Map<String, String> environment;
    private final @Nullable S3Credentials credentials;
    private final HttpConnection.Limits limits;

    S3Settings(Settings values, Map<String, String> environment) {
        super(TYPE, values);
        values.get(COMPRESSION).checkLibrary();
        // First of what contradicts: somebody would think that what is sent is encrypted.
        TlsOptions.checkUnused(values, values.find(ENDPOINT));
        place = new S3Place(values.find(ENDPOINT), values.get(REGION), values.get(BUCKET), values.find(ADDRESSING));
        this.environment = Map.copyOf(environment);
        credentials = S3Credentials.of(values);
        limits = new HttpConnection.Limits(values.get(CONNECT_TIMEOUT), values.get(TIMEOUT));
    }

    /** Begins with the defaults: only the bucket is required, and a key here or in the environment. */
    public static Builder builder() {
        return new Builder();
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
    public Sink sink(String output) {
        return new S3Sink(
                output,
                bucket(limits),
                values().get(FORMAT),
                values().get(PREFIX).in(zone()),
                NAMES.limit(values()),
                values().get(COMPRESSION));
    }

    private S3Bucket bucket(HttpConnection.Limits within) {
        return new S3Bucket(
                place,
                credentials == null ? S3Credentials.of(environment) : credentials,
                within,
                TlsOptions.of(values()));
    }

    @Override
    public List<String> warnings(int batchBytes) {
        List<String> warnings = new ArrayList<>(values().get(PREFIX).warnings());
        long neededMiB = (HEAP_FACTOR * (long) batchBytes) >> 20;
        long heapMiB = Runtime.getRuntime().maxMemory() >> 20;
        if (neededMiB > heapMiB) {
            warnings.add("for batch.bytes of " + (batchBytes >> 20) + " MiB the output may need " + neededMiB
                    + " MiB of heap, and this process may have " + heapMiB
                    + " MiB: take fewer bytes, or a larger heap (MILLRACE_JAVA_OPTS=-Xmx…)");
        }
        URI endpoint = values().find(ENDPOINT);
        // A request has a signature made with the secret key, and not the key.
        List<String> secrets = values().isSet(SESSION_TOKEN) ? List.of(SESSION_TOKEN.key()) : List.of();
        String plain = endpoint == null ? null : PlainText.warning(endpoint, secrets, List.of());
        if (plain != null) {
            warnings.add(plain);
        }
        return warnings;
    }

    @Override
    public List<FileFinding> checkFiles() {
        return place.isSecure() ? checkTlsFiles() : List.of();
    }

    @Override
    public String connect(String output, Duration limit) throws IOException, InterruptedException {
        S3Bucket bucket = bucket(new HttpConnection.Limits(limit, limit));
        try {
            return bucket.ask();
        } catch (IOException e) {
            throw new IOException(bucket + ": " + e.getMessage(), e);
        } finally {
            bucket.close();
        }
    }

    /** Builder of settings, whose names, meanings and defaults are those of the configuration reference. One thread. */
    public static final class Builder extends TlsBuilder<Builder> {
        private Builder() {}

        public Builder format(LineFormat format) {
            return set(FORMAT, format);
        }

        /** The bucket, which must exist. Required. */
        public Builder bucket(String bucket) {
            return set(BUCKET, bucket);
        }

        /** The server; without one, that of Amazon in the region. */
        public Builder endpoint(URI url) {
            return set(ENDPOINT, url);
        }

        public Builder region(String region) {
            return set(REGION, region);
        }

        public Builder addressing(Addressing addressing) {
            return set(ADDRESSING, addressing);
        }

        /** The beginning of keys, with fields and times in braces. */
        public Builder prefix(String prefix) {
            return parse(PREFIX, prefix);
        }

        public Builder timeZone(ZoneId zone) {
            return set(TIME_ZONE, zone);
        }

        /** The limit of prefixes that fields of messages name within a day. */
        public Builder maxNames(int names) {
            return set(NAMES.max(), names);
        }

        /** The limit of new prefixes that fields of messages name per minute. */
        public Builder maxNewNames(int names) {
            return set(NAMES.perMinute(), names);
        }

        public Builder compression(Compression compression) {
            return set(COMPRESSION, compression);
        }

        /** The id of the key; without one, the environment variables of clients of S3 have it. */
        public Builder accessKey(String id) {
            return set(ACCESS_KEY, id);
        }

        public Builder secretKey(String secret) {
            return set(SECRET_KEY, secret);
        }

        /** The token of a temporary key; without a key, the environment variable {@code AWS_SESSION_TOKEN}. */
        public Builder sessionToken(String token) {
            return set(SESSION_TOKEN, token);
        }

        public Builder connectTimeout(Duration limit) {
            return set(CONNECT_TIMEOUT, limit);
        }

        public Builder timeout(Duration limit) {
            return set(TIMEOUT, limit);
        }

        /** Checks the settings together. */
        public S3Settings build() {
            return build(System.getenv());
        }

        S3Settings build(Map<String, String> environment) {
            return new S3Settings(values(), environment);
        }
    }
}
