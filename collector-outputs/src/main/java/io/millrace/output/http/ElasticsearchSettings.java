package io.millrace.output.http;

import io.millrace.internal.format.EcsFormat;
import io.millrace.message.LineFormat;
import io.millrace.output.BatchSettings;
import io.millrace.output.OutputType;
import io.millrace.output.internal.http.HttpOptions;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpTarget;
import io.millrace.output.internal.http.elasticsearch.BulkProtocol;
import io.millrace.output.internal.http.elasticsearch.IndexNames;
import io.millrace.output.internal.name.NameSettings;
import io.millrace.output.internal.name.NameTemplate;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingType;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Settings of an output to Elasticsearch or OpenSearch, into data streams or indexes. */
public final class ElasticsearchSettings extends HttpOutputSettings {
    static final SettingType<NameTemplate> INDEX_TYPE = SettingTypes.parsed(
            "INDEX",
            "the name of an index or data stream in small letters that begins with a text, with fields in braces if you like, such"
                    + " as logs-syslog-{input}",
            IndexNames::parse);

    /** The names at the top of a document. */
    private static final Set<String> ECS_NAMES =
            Set.of("@timestamp", "message", "event", "host", "process", "log", "millrace", "ecs");

    static final Setting<LineFormat> ECS = Setting.withDefault(
            FORMAT.key(),
            FORMAT.type(),
            "ecs",
            "The format of documents: `ecs`, `json` or `json-flat`. A data stream needs `ecs`.");

    static final Setting<NameTemplate> INDEX = Setting.withDefault(
            "index",
            INDEX_TYPE,
            "logs-syslog-default",
            "The data stream or index. Fields in braces are allowed, such as `{hostname}`; `{date}` is the day of the receive time in"
                    + " UTC, `2026.11.21`.");

    static final NameSettings NAMES =
            NameSettings.of("indexes", 100, 20, "Further messages have `@other` in place of each field.");

    static final Setting<Boolean> ORIGINAL = Setting.withDefault(
            "original",
            SettingTypes.SWITCH,
            "off",
            "With `format: ecs`: whether `event.original` has the message as it came.");

    static final Setting<String> FIELDS_NAME = Setting.withDefault(
            "fieldsName",
            SettingTypes.parsed(
                    "NAME",
                    "a name that the schema does not have, such as fields or acme",
                    text -> ECS_NAMES.contains(text.replaceFirst("\\..*", "")) ? null : text),
            "fields",
            "With `format: ecs` and `fields: on`: the name of the object with the values in the message body.");

    static final Setting<String> API_KEY = Setting.optional(
            "apiKey",
            SettingTypes.SECRET,
            "none",
            "An API key as Elasticsearch prints it encoded, instead of user and password.");

    /** The type {@code elasticsearch}. */
    public static final OutputType ELASTICSEARCH = type(
            "elasticsearch",
            "Delivers to Elasticsearch",
            List.of(HttpOptions.USER, HttpOptions.PASSWORD, API_KEY),
            ElasticsearchSettings::elasticsearch);

    /** The type {@code opensearch}, which has no API keys. */
    public static final OutputType OPENSEARCH = type(
            "opensearch",
            "Delivers to OpenSearch",
            List.of(HttpOptions.USER, HttpOptions.PASSWORD),
            ElasticsearchSettings::opensearch);

    private ElasticsearchSettings(OutputType type, Settings values) {
        super(type, values, API_KEY, "ApiKey");
        if (!values.get(ECS).isJson()) {
            throw new SettingException(ECS, "accepts ecs, json or json-flat for this type");
        }
    }

    private static ElasticsearchSettings elasticsearch(Settings values) {
        return new ElasticsearchSettings(ELASTICSEARCH, values);
    }

    private static ElasticsearchSettings opensearch(Settings values) {
        return new ElasticsearchSettings(OPENSEARCH, values);
    }

    private static OutputType type(
            String name, String does, List<Setting<?>> credentials, Function<Settings, ElasticsearchSettings> creator) {
        List<Setting<?>> all = new ArrayList<>();
        all.add(ECS);
        all.addAll(HttpOptions.with(credentials, INDEX, ORIGINAL, FIELDS_NAME, NAMES.max(), NAMES.perMinute()));
        return new OutputType(
                name,
                does + ", into a data stream or an index. A resent message does not become a second document.",
                all,
                BatchSettings.LARGE,
                creator);
    }

    /** Begins with the defaults: only the URL is required. */
    public static Builder builder() {
        return new Builder();
    }

    private LineFormat format() {
        LineFormat format = values().get(ECS);
        return format instanceof EcsFormat ecs ? ecs.with(values().get(ORIGINAL), values().get(FIELDS_NAME)) : format;
    }

    @Override
    public boolean writesBytes() {
        return format().writesBytes();
    }

    @Override
    HttpProtocol protocol() {
        return new BulkProtocol(format(), new IndexNames(values().get(INDEX), NAMES.limit(values())));
    }

    @Override
    URI target() {
        return HttpTarget.of(url(), BulkProtocol.PATH);
    }

    @Override
    public List<String> warnings(int batchBytes) {
        List<String> warnings = new ArrayList<>(super.warnings(batchBytes));
        warnings.addAll(values().get(INDEX).warnings());
        return warnings;
    }

    /** Builder of settings, whose names, meanings and defaults are those of the configuration reference. One thread. */
    public static final class Builder extends HttpOutputSettings.Builder<Builder> {
        private Builder() {}

        /** The format of documents, which is JSON. */
        public Builder format(LineFormat format) {
            return set(ECS, format);
        }

        /** The data stream or index, with fields in braces. */
        public Builder index(String index) {
            return parse(INDEX, index);
        }

        /** Whether {@code event.original} has the message as it came. */
        public Builder original(boolean kept) {
            return set(ORIGINAL, kept);
        }

        /** The name of the object with the fields of the body. */
        public Builder fieldsName(String name) {
            return set(FIELDS_NAME, name);
        }

        /** The limit of indexes that fields of messages name within a day. */
        public Builder maxNames(int names) {
            return set(NAMES.max(), names);
        }

        /** The limit of new indexes that fields of messages name per minute. */
        public Builder maxNewNames(int names) {
            return set(NAMES.perMinute(), names);
        }

        /** The user, with a password. */
        public Builder user(String user) {
            return set(HttpOptions.USER, user);
        }

        /** The password of the user. */
        public Builder password(String password) {
            return set(HttpOptions.PASSWORD, password);
        }

        /** An API key, instead of user and password. */
        public Builder apiKey(String key) {
            return set(API_KEY, key);
        }

        /** Checks the settings together. */
        public ElasticsearchSettings build() {
            return elasticsearch(values());
        }
    }
}
