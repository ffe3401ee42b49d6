package io.millrace.output.http;

import io.millrace.message.LineFormat;
import io.millrace.output.BatchSettings;
import io.millrace.output.Compression;
import io.millrace.output.OutputType;
import io.millrace.output.internal.http.HttpOptions;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpTarget;
import io.millrace.output.internal.http.splunk.HecAcks;
import io.millrace.output.internal.http.splunk.HecIndexes;
import io.millrace.output.internal.http.splunk.HecMetadata;
import io.millrace.output.internal.http.splunk.HecProtocol;
import io.millrace.output.internal.name.NameSettings;
import io.millrace.output.internal.name.NameTemplate;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingType;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Settings of an output to Splunk, by its HTTP Event Collector (HEC). */
public final class SplunkSettings extends HttpOutputSettings {
    private static final SettingType<HecMetadata> TEMPLATE = SettingTypes.parsed(
            "TEXT", "a text, with fields in braces if you like, such as {hostname}", HecMetadata::parse);

    private static final HecMetadata HOSTNAME = Objects.requireNonNull(HecMetadata.parse("{hostname}"));
    private static final Duration ASK_INTERVAL = Duration.ofSeconds(1);

    static final Setting<String> TOKEN = Setting.required(
            "token", SettingTypes.SECRET, "The token of the HTTP Event Collector: `${file:/path}` keeps it in a file.");

    static final Setting<Endpoint> ENDPOINT = Setting.withDefault(
            "endpoint",
            SettingTypes.oneOf(Endpoint.class),
            "event",
            "event: each message has metadata of its own; raw: lines, which Splunk parses by their source type.");

    static final Setting<HecMetadata> HOST = Setting.optional(
            "host",
            TEMPLATE,
            "`{hostname}`; with `endpoint: raw` that of the token",
            "The host of an event. An absent field leaves it to Splunk. With `endpoint: raw`, this and the next three take no fields.");

    static final Setting<HecMetadata> SOURCE = Setting.optional(
            "source", TEMPLATE, "that of the token", "The source of an event, such as `syslog:{input}`.");

    static final Setting<HecMetadata> SOURCETYPE =
            Setting.withDefault("sourcetype", TEMPLATE, "syslog", "The source type of an event.");

    static final Setting<NameTemplate> INDEX = Setting.optional(
            "index",
            SettingTypes.parsed(
                    "INDEX",
                    "the name of an index in small letters, digits, underscores and dashes that begins with a letter or digit, with"
                            + " fields in braces if you like, such as net-{facility}",
                    HecIndexes::parse),
            "that of the token",
            "The index, which must exist. With fields in braces, a message whose index does not exist becomes a dead letter.");

    static final NameSettings NAMES =
            NameSettings.of("indexes", 100, 20, "Further messages have `other` in place of each field.");

    static final Setting<Boolean> ACKNOWLEDGE = Setting.withDefault(
            "acknowledge",
            SettingTypes.SWITCH,
            "off",
            "Whether a message counts as delivered only when Splunk has indexed it. The token must have indexer acknowledgement enabled.");

    static final Setting<Duration> ACK_TIMEOUT = Setting.withDefault(
            "ackTimeout",
            SettingTypes.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
            "5m",
            "With `acknowledge: on`: how long Splunk may take to index messages; then they are resent.");

    /** The type {@code splunk}. */
    public static final OutputType TYPE = new OutputType(
            "splunk",
            "Sends messages to the HTTP Event Collector of Splunk.",
            settings(),
            BatchSettings.LARGE,
            SplunkSettings::new);

    /** The interface of the HTTP Event Collector. */
    public enum Endpoint {
        /** Events with metadata. */
        EVENT,
        /** Lines; their metadata is constant. */
        RAW
    }

    private SplunkSettings(Settings values) {
        super(TYPE, values, TOKEN, "Splunk");
        if (values.get(HttpOptions.COMPRESSION) == Compression.ZSTD) {
            throw new SettingException(
                    HttpOptions.COMPRESSION, "accepts none or gzip for this type: Splunk reads no zstd");
        }
        if (isRaw()) {
            for (Setting<HecMetadata> setting : List.of(HOST, SOURCE, SOURCETYPE)) {
                HecMetadata value = values.find(setting);
                if (value != null) {
                    check(value.isConstant(), setting, value, "a text without fields with 'endpoint: raw'");
                }
            }
            NameTemplate index = values.find(INDEX);
            if (index != null) {
                check(index.isConstant(), INDEX, index, "a name without fields with 'endpoint: raw'");
            }
        }
    }

    private static List<Setting<?>> settings() {
        List<Setting<?>> all = new ArrayList<>();
        all.add(FORMAT);
        all.addAll(HttpOptions.with(
                List.of(TOKEN),
                ENDPOINT,
                HOST,
                SOURCE,
                SOURCETYPE,
                INDEX,
                NAMES.max(),
                NAMES.perMinute(),
                ACKNOWLEDGE,
                ACK_TIMEOUT));
        return all;
    }

    /** Begins with the defaults: only the URL and the token are required. */
    public static Builder builder() {
        return new Builder();
    }

    private boolean isRaw() {
        return values().get(ENDPOINT) == Endpoint.RAW;
    }

    @Override
    HttpProtocol protocol() {
        return protocol(ASK_INTERVAL);
    }

    /** Creates the protocol with another interval of queries for acknowledgements. */
    HttpProtocol protocol(Duration askInterval) {
        Map<String, HecMetadata> metadata = new LinkedHashMap<>();
        for (Setting<HecMetadata> setting : List.of(HOST, SOURCE, SOURCETYPE)) {
            HecMetadata value = values().find(setting);
            if (value == null && setting == HOST && !isRaw()) {
                value = HOSTNAME;
            }
            if (value != null) {
                metadata.put(setting.key(), value);
            }
        }
        NameTemplate index = values().find(INDEX);
        URI acks = at(HecAcks.PATH);
        return new HecProtocol(
                values().get(FORMAT),
                isRaw(),
                metadata,
                index == null ? null : new HecIndexes(index, NAMES.limit(values())),
                values().get(ACKNOWLEDGE)
                        ? new HecAcks(
                                HttpTarget.place(acks),
                                post(acks, "application/json", limits()),
                                values().get(ACK_TIMEOUT),
                                askInterval)
                        : null);
    }

    @Override
    URI target() {
        return at(HecProtocol.PATH + (isRaw() ? "/raw" : "/event"));
    }

    /** The URL of an interface. The one that was given may have the path of the collector, or of an interface. */
    private URI at(String path) {
        String given = url().getRawPath() == null ? "" : url().getRawPath();
        String base = given.replaceFirst(HecProtocol.PATH + "(/event|/raw)?/?$", "");
        String query = url().getRawQuery() == null ? "" : "?" + url().getRawQuery();
        return HttpTarget.of(URI.create(url().getScheme() + "://" + url().getRawAuthority() + base + query), path);
    }

    @Override
    public List<String> warnings(int batchBytes) {
        List<String> warnings = new ArrayList<>(super.warnings(batchBytes));
        for (Setting<HecMetadata> setting : List.of(HOST, SOURCE, SOURCETYPE)) {
            HecMetadata value = values().find(setting);
            if (value != null) {
                warnings.addAll(value.warnings());
            }
        }
        NameTemplate index = values().find(INDEX);
        if (index != null) {
            warnings.addAll(index.warnings());
        }
        return warnings;
    }

    /** Builder of settings, whose names, meanings and defaults are those of the configuration reference. One thread. */
    public static final class Builder extends HttpOutputSettings.Builder<Builder> {
        private Builder() {}

        /** The format of messages. */
        public Builder format(LineFormat format) {
            return set(FORMAT, format);
        }

        /** The token of the HTTP Event Collector. Required. */
        public Builder token(String token) {
            return set(TOKEN, token);
        }

        /** The interface. */
        public Builder endpoint(Endpoint endpoint) {
            return set(ENDPOINT, endpoint);
        }

        /** The host of an event, with fields in braces. */
        public Builder host(String host) {
            return parse(HOST, host);
        }

        /** The source of an event, with fields in braces. */
        public Builder source(String source) {
            return parse(SOURCE, source);
        }

        /** The source type of an event, with fields in braces. */
        public Builder sourcetype(String sourcetype) {
            return parse(SOURCETYPE, sourcetype);
        }

        /** The index, with fields in braces. */
        public Builder index(String index) {
            return parse(INDEX, index);
        }

        /** The limit of indexes that fields of messages name within a day. */
        public Builder maxNames(int names) {
            return set(NAMES.max(), names);
        }

        /** The limit of new indexes that fields of messages name per minute. */
        public Builder maxNewNames(int names) {
            return set(NAMES.perMinute(), names);
        }

        /** Whether a message counts as delivered only when Splunk has indexed it. */
        public Builder acknowledge(boolean awaited) {
            return set(ACKNOWLEDGE, awaited);
        }

        /** How long Splunk may take to index messages. */
        public Builder ackTimeout(Duration limit) {
            return set(ACK_TIMEOUT, limit);
        }

        /** Checks the settings together. */
        public SplunkSettings build() {
            return new SplunkSettings(values());
        }
    }
}
