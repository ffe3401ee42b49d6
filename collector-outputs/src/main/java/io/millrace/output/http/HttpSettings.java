package io.millrace.output.http;

import io.millrace.output.BatchSettings;
import io.millrace.output.OutputType;
import io.millrace.output.internal.http.HttpConnection;
import io.millrace.output.internal.http.HttpOptions;
import io.millrace.output.internal.http.HttpProbe;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.LineProtocol;
import io.millrace.output.internal.http.elasticsearch.BulkProtocol;
import io.millrace.output.internal.http.elasticsearch.IndexNames;
import io.millrace.output.internal.http.loki.LokiProtocol;
import io.millrace.output.internal.name.NameTemplate;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Settings of an output that posts lines to any server over HTTP. Known servers have types of their own. */
public final class HttpSettings extends HttpOutputSettings {
    static final Setting<Shape> SHAPE = Setting.withDefault(
            "shape",
            SettingTypes.oneOf(Shape.class),
            "ndjson",
            "ndjson: one line per message; bulk and loki: as the types `elasticsearch` and `loki`, which have more settings.");

    static final Setting<NameTemplate> INDEX = Setting.withDefault(
            "index",
            ElasticsearchSettings.INDEX_TYPE,
            "millrace-{date}",
            "For bulk: the index; `{date}` is the day of the receive time in UTC, `2026.11.21`.");

    /** The type {@code http}. */
    public static final OutputType TYPE = new OutputType(
            "http",
            "Posts messages in batches to any server, one request at a time.",
            settings(),
            BatchSettings.LARGE,
            HttpSettings::new);

    /** The form of requests. */
    public enum Shape {
        /** One line per record. */
        NDJSON(""),
        /** The bulk interface of OpenSearch and Elasticsearch. */
        BULK(BulkProtocol.PATH),
        /** The push interface of Grafana Loki, in JSON. */
        LOKI(LokiProtocol.PATH);

        private final String path;

        Shape(String path) {
            this.path = path;
        }
    }

    private HttpSettings(Settings values) {
        super(TYPE, values, HttpOptions.TOKEN, "Bearer");
        if (shape() == Shape.LOKI) {
            LokiProtocol.checkLabels(values.find(LokiProtocol.LABELS));
        }
        if (shape() == Shape.BULK && !values.get(FORMAT).isJson()) {
            throw new SettingException(FORMAT, "accepts json for the shape bulk");
        }
    }

    private static List<Setting<?>> settings() {
        List<Setting<?>> all = new ArrayList<>();
        all.add(FORMAT);
        all.addAll(HttpOptions.with(
                SHAPE, INDEX, LokiProtocol.LABELS, LokiProtocol.NAMES.max(), LokiProtocol.NAMES.perMinute()));
        return all;
    }

    /** Begins with the defaults: only the URL is required. */
    public static Builder builder() {
        return new Builder();
    }

    private Shape shape() {
        return values().get(SHAPE);
    }

    @Override
    HttpProtocol protocol() {
        return switch (shape()) {
            case NDJSON -> new LineProtocol(values().get(FORMAT));
            case BULK ->
                new BulkProtocol(
                        values().get(FORMAT),
                        new IndexNames(values().get(INDEX), ElasticsearchSettings.NAMES.limit(values())));
            case LOKI ->
                new LokiProtocol(
                        values().get(FORMAT), values().find(LokiProtocol.LABELS), LokiProtocol.NAMES.limit(values()));
        };
    }

    /** The path of the interface is added if there is none. */
    @Override
    URI target() {
        String path = url().getRawPath();
        return path == null || path.isEmpty() || path.equals("/") ? url().resolve(shape().path) : url();
    }

    @Override
    public String connect(String output, Duration limit) throws IOException, InterruptedException {
        return shape() == Shape.NDJSON
                ? HttpProbe.head(
                        place(), post(target(), LineProtocol.CONTENT_TYPE, new HttpConnection.Limits(limit, limit)))
                : super.connect(output, limit);
    }

    /** Builder of settings, whose names, meanings and defaults are those of the configuration reference. One thread. */
    public static final class Builder extends FormatBuilder<Builder> {
        private Builder() {}

        /** The form of requests. {@link Shape#BULK} requires a format of JSON. */
        public Builder shape(Shape shape) {
            return set(SHAPE, shape);
        }

        /** For {@link Shape#BULK}: the index; <code>{date}</code> is the day of the receive time in UTC. */
        public Builder index(String index) {
            return parse(INDEX, index);
        }

        /** For {@link Shape#LOKI}: labels by name. A value is a text, or a field in braces with few values. */
        public Builder labels(Map<String, String> labels) {
            return set(LokiProtocol.LABELS, Map.copyOf(labels));
        }

        /** The limit of streams that fields of messages name within a day. */
        public Builder maxNames(int names) {
            return set(LokiProtocol.NAMES.max(), names);
        }

        /** The limit of new streams that fields of messages name per minute. */
        public Builder maxNewNames(int names) {
            return set(LokiProtocol.NAMES.perMinute(), names);
        }

        /** Checks the settings together. */
        public HttpSettings build() {
            return new HttpSettings(values());
        }
    }
}
