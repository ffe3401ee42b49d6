package io.millrace.app.sink.http;

import io.millrace.app.tls.TlsSettings;
import io.millrace.message.RecordField;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an HTTP output.
 *
 * @param uri the URL; for {@link Shape#BULK} and {@link Shape#LOKI} without a path
 * @param shape the form of requests
 * @param headers sent with each request, such as {@code X-Scope-OrgID}
 * @param credentials null for none
 * @param compression the compression of requests; OpenSearch, Elasticsearch and Loki accept gzip
 * @param index for {@link Shape#BULK}: the name of an index or a data stream; <code>{date}</code> is the day a record
 *     was received, in UTC: {@code 2026.11.21}
 * @param labels for {@link Shape#LOKI}: by name, a field in braces such as <code>{hostname}</code>, or a text. A label
 *     with an absent or empty field is omitted
 * @param connectTimeout the time limit for connecting
 * @param timeout the time limit for the complete response
 * @param tls the certificates, for https only
 */
public record HttpSinkSettings(
        URI uri,
        Shape shape,
        Map<String, String> headers,
        @Nullable HttpCredentials credentials,
        Compression compression,
        String index,
        Map<String, String> labels,
        Duration connectTimeout,
        Duration timeout,
        TlsSettings tls) {

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

        String contentType() {
            return contentType;
        }
    }

    /** The compression of requests. */
    public enum Compression {
        /** No compression. */
        NONE,
        /** gzip, RFC 1952. */
        GZIP,
        /** Zstandard, RFC 8878. */
        ZSTD
    }

    private static final String DATE = "{date}";
    private static final Pattern INDEX =
            Pattern.compile("[^-_+\\s\\p{Lu}{}\\\\/*?\"<>|,#:][^\\s\\p{Lu}{}\\\\/*?\"<>|,#:]*");
    private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

    /** What every record says otherwise: as a label it would make a stream a record. */
    private static final Set<RecordField> NO_LABELS = Set.of(
            RecordField.TIMESTAMP,
            RecordField.RECEIVE_TIME,
            RecordField.SEQUENCE,
            RecordField.STRUCTURED_DATA,
            RecordField.MESSAGE,
            RecordField.RAW);

    /** A field that every record has. */
    private static final Set<RecordField> ALWAYS = Set.of(
            RecordField.FACILITY,
            RecordField.SEVERITY,
            RecordField.SOURCE_IP,
            RecordField.SOURCE_PORT,
            RecordField.INPUT,
            RecordField.SHARD,
            RecordField.PARSE,
            RecordField.BODY);

    /** Checks every setting; the message of the exception has the name of the first invalid one and its valid values. */
    public HttpSinkSettings {
        String scheme = String.valueOf(uri.getScheme());
        check(
                (scheme.equals("http") || scheme.equals("https")) && uri.getHost() != null,
                "url",
                bare(uri),
                "http:// or https://");
        check(uri.getUserInfo() == null, "url", "one with a user", "a user and a password in settings of their own");
        check(connectTimeout.toMillis() >= 1, "connectTimeout", connectTimeout, "a time of at least 1 ms");
        check(timeout.toMillis() >= 1, "timeout", timeout, "a time of at least 1 ms");
        headers = Map.copyOf(headers);
        if (shape == Shape.BULK) {
            check(
                    INDEX.matcher(index.replace(DATE, "0")).matches(),
                    "index",
                    "'" + index + "'",
                    "the name of an index in small letters, with {date} if you like");
        }
        labels = Collections.unmodifiableMap(new TreeMap<>(labels));
        if (shape == Shape.LOKI) {
            checkLabels(labels);
        }
    }

    /** Omits possible secrets. */
    private static String bare(URI uri) {
        String text = uri.toString().replaceFirst("[?#].*", "");
        return text.contains("@") ? "one with a user" : text;
    }

    private static void checkLabels(Map<String, String> labels) {
        boolean always = false;
        for (Map.Entry<String, String> label : labels.entrySet()) {
            String name = label.getKey();
            String value = label.getValue();
            check(
                    LABEL.matcher(name).matches(),
                    "labels",
                    "the name '" + name + "'",
                    "letters, digits and underscores");
            RecordField field = field(value);
            boolean text = !value.isBlank() && !value.contains("{") && !value.contains("}");
            check(
                    text || (field != null && !NO_LABELS.contains(field)),
                    "labels",
                    name + "=" + value,
                    "a text, or a field with few values in braces, such as {hostname}");
            always |= text || ALWAYS.contains(field);
        }
        check(
                always,
                "labels",
                labels.toString(),
                "at least one that every record has: a text, or a field such as {facility}");
    }

    /** The field in braces; null if it is a text. */
    static @Nullable RecordField field(String value) {
        boolean braces = value.startsWith("{") && value.endsWith("}");
        return braces ? RecordField.of(value.substring(1, value.length() - 1)) : null;
    }

    /** The defaults: gzip, 10 s to connect, 30 s for a response, an index per day, a label for the job. */
    public static HttpSinkSettings of(URI uri, Shape shape) {
        return new HttpSinkSettings(
                uri,
                shape,
                Map.of(),
                null,
                Compression.GZIP,
                "millrace-{date}",
                Map.of("job", "millrace"),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                TlsSettings.DEFAULT);
    }

    /** A copy with an additional header. */
    public HttpSinkSettings header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new HttpSinkSettings(
                uri, shape, more, credentials, compression, index, labels, connectTimeout, timeout, tls);
    }

    /** A copy with credentials. */
    public HttpSinkSettings as(@Nullable HttpCredentials who) {
        return new HttpSinkSettings(uri, shape, headers, who, compression, index, labels, connectTimeout, timeout, tls);
    }

    /** A copy with another compression. */
    public HttpSinkSettings compressed(Compression how) {
        return new HttpSinkSettings(uri, shape, headers, credentials, how, index, labels, connectTimeout, timeout, tls);
    }

    /** A copy with another index. */
    public HttpSinkSettings index(String name) {
        return new HttpSinkSettings(
                uri, shape, headers, credentials, compression, name, labels, connectTimeout, timeout, tls);
    }

    /** A copy with other labels. */
    public HttpSinkSettings labels(Map<String, String> values) {
        return new HttpSinkSettings(
                uri, shape, headers, credentials, compression, index, values, connectTimeout, timeout, tls);
    }

    /** A copy with other time limits. */
    public HttpSinkSettings timeouts(Duration connect, Duration answer) {
        return new HttpSinkSettings(uri, shape, headers, credentials, compression, index, labels, connect, answer, tls);
    }

    /** A copy with other certificates. */
    public HttpSinkSettings tls(TlsSettings certificates) {
        return new HttpSinkSettings(
                uri, shape, headers, credentials, compression, index, labels, connectTimeout, timeout, certificates);
    }

    /** The URL of requests: the path of the interface is added if there is none. */
    URI target() {
        String path = uri.getRawPath();
        return path == null || path.isEmpty() || path.equals("/") ? uri.resolve(shape.path) : uri;
    }

    /** The URL for messages, without its query, which may contain a secret. */
    String place() {
        URI target = target();
        return target.getScheme() + "://" + target.getRawAuthority() + target.getRawPath();
    }

    /** Omits headers, which may contain a secret. */
    @Override
    public String toString() {
        return shape + " to " + place();
    }

    private static void check(boolean good, String setting, Object got, String takes) {
        if (!good) {
            throw new IllegalArgumentException(setting + " takes " + takes + ", not " + got);
        }
    }
}
