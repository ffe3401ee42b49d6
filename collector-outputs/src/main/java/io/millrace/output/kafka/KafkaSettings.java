package io.millrace.output.kafka;

import io.millrace.message.LineFormat;
import io.millrace.output.BatchSettings;
import io.millrace.output.OutputSettings;
import io.millrace.output.OutputType;
import io.millrace.output.internal.Libraries;
import io.millrace.output.internal.name.NameSettings;
import io.millrace.output.internal.name.NameTemplate;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;

/** Settings of an output to Kafka. Its sinks need the library {@code org.apache.kafka:kafka-clients}. */
public final class KafkaSettings extends OutputSettings {
    static final Setting<List<String>> BROKERS = Setting.required(
            "brokers",
            SettingTypes.HOSTS,
            "Brokers to begin with, such as `kafka1:9092`; the others are learnt from them.");

    static final Setting<NameTemplate> TOPIC = Setting.required(
            "topic",
            SettingTypes.parsed("TOPIC", "the name of a topic; it may have fields in braces", KafkaSettings::topic),
            "The topic, with fields as in the path of a file: `logs-{facility}`. A colon becomes `_`.");

    static final Setting<String> FALLBACK_TOPIC = Setting.optional(
            "fallbackTopic",
            SettingTypes.parsed("TOPIC", "the name of a topic", KafkaSettings::fallback),
            "dead letters",
            "The topic for messages whose topic does not exist, cannot exist, or exceeds the limit.");

    private static final NameSettings NAMES = NameSettings.of(
            "topics that the broker creates for messages",
            1_000,
            100,
            "Further messages go to `fallbackTopic`, or become dead letters.");

    static final Setting<Key> KEY = Setting.withDefault(
            "key",
            SettingTypes.oneOf(Key.class),
            "source",
            "The key of the partition: messages of one key stay in order. source: the source address;"
                    + " host: the host name in the message, else the address; none: spread evenly.");

    static final Setting<Compression> COMPRESSION = Setting.withDefault(
            "compression", SettingTypes.oneOf(Compression.class), "lz4", "The compression of batches.");

    static final Setting<Map<String, String>> PROPERTIES = Setting.optional(
            "properties",
            SettingTypes.textByName(KafkaSettings::isSecret),
            "none",
            "Additional properties of Kafka's producer, such as `security.protocol`, `sasl.jaas.config` or"
                    + " `ssl.truststore.location`.");

    /** The type {@code kafka}. */
    public static final OutputType TYPE = new OutputType(
            "kafka",
            "Sends messages to Kafka, acknowledged by all in-sync replicas, in the order of their shard. Each"
                    + " record has the headers `millrace-journal`, `millrace-shard` and `millrace-sequence`, and"
                    + " `millrace-part` if its datagram was split. Duplicates after a crash have equal headers.",
            List.of(
                    FORMAT,
                    BROKERS,
                    TOPIC,
                    FALLBACK_TOPIC,
                    NAMES.max(),
                    NAMES.perMinute(),
                    KEY,
                    COMPRESSION,
                    PROPERTIES),
            BatchSettings.LARGE,
            KafkaSettings::new);

    /** What determines the partition of a message. */
    public enum Key {
        /** The source address. */
        SOURCE,
        /** The host name in the message; without one, the source address. */
        HOST,
        /** Nothing: messages are spread evenly. */
        NONE
    }

    /** The compression of batches by Kafka's client. */
    public enum Compression {
        /** No compression. */
        NONE,
        /** gzip. */
        GZIP,
        /** Snappy. */
        SNAPPY,
        /** LZ4. */
        LZ4,
        /** Zstandard. */
        ZSTD
    }

    private KafkaSettings(Settings values) {
        super(TYPE, withLibrary(values));
    }

    private static Settings withLibrary(Settings values) {
        Libraries.require(
                "an output to Kafka", "org.apache.kafka.clients.producer.Producer", "org.apache.kafka:kafka-clients");
        return values;
    }

    /** Begins with the defaults: brokers and topic are required. */
    public static Builder builder() {
        return new Builder();
    }

    private static NameTemplate topic(String text) {
        NameTemplate topic = NameTemplate.parse(text);
        var unused = fallback(text.replaceAll("\\{[^}]*}", "x").replace(':', '_'));
        return topic;
    }

    private static String fallback(String text) {
        if (!text.matches("[A-Za-z0-9._-]{1,249}") || text.matches("\\.\\.?")) {
            throw new IllegalArgumentException("a topic has 1 to 249 letters, digits, dots, dashes and underscores");
        }
        return text;
    }

    /** An unknown property may be a secret of a class that Kafka loads. */
    private static boolean isSecret(String property) {
        ConfigDef.ConfigKey key = ProducerConfig.configDef().configKeys().get(property);
        return key == null || key.type == ConfigDef.Type.PASSWORD;
    }

    @Override
    public Sink sink(String output) {
        return new KafkaSink(
                values().get(FORMAT),
                values().get(TOPIC).in(zone()),
                values().get(KEY),
                properties(output),
                NAMES.limit(values()),
                values().find(FALLBACK_TOPIC));
    }

    @Override
    public List<String> warnings(int batchBytes) {
        return Stream.of(KafkaSecurity.unused(given()), KafkaSecurity.plain(given(), values().get(BROKERS)))
                .filter(Objects::nonNull)
                .toList();
    }

    @Override
    public List<FileFinding> checkFiles() {
        return KafkaFiles.check(properties(""));
    }

    @Override
    public String connect(String output, Duration limit) throws IOException, InterruptedException {
        NameTemplate topic = values().get(TOPIC);
        String fallback = values().find(FALLBACK_TOPIC);
        List<String> topics = new ArrayList<>();
        if (topic.isConstant()) {
            topics.add(topic.toString().replace(':', '_'));
        }
        if (fallback != null) {
            topics.add(fallback);
        }
        return new KafkaProbe(values().get(BROKERS), properties(output), limit).ask(topics);
    }

    private Map<String, Object> properties(String output) {
        return KafkaProperties.of(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        String.join(",", values().get(BROKERS)),
                        ProducerConfig.COMPRESSION_TYPE_CONFIG,
                        values().get(COMPRESSION).name().toLowerCase(Locale.ROOT),
                        ProducerConfig.CLIENT_ID_CONFIG,
                        "millrace-" + output),
                given());
    }

    /** The properties of the user. */
    private Map<String, String> given() {
        return Objects.requireNonNullElse(values().find(PROPERTIES), Map.of());
    }

    /** Builder of settings, whose names, meanings and defaults are those of the configuration reference. One thread. */
    public static final class Builder extends OutputSettings.Builder<Builder> {
        private Builder() {}

        public Builder format(LineFormat format) {
            return set(FORMAT, format);
        }

        /** Brokers to begin with, {@code HOST:PORT} each; the others are learnt from them. Required. */
        public Builder brokers(String... brokers) {
            return set(BROKERS, List.of(brokers));
        }

        /** The topic, with fields and times in braces: {@code logs-{facility}}. Required. */
        public Builder topic(String topic) {
            return parse(TOPIC, topic);
        }

        public Builder timeZone(ZoneId zone) {
            return set(TIME_ZONE, zone);
        }

        /** The topic for messages whose own cannot be used. */
        public Builder fallbackTopic(String topic) {
            return set(FALLBACK_TOPIC, topic);
        }

        /** The limit of topics that fields of messages name within a day. */
        public Builder maxNames(int names) {
            return set(NAMES.max(), names);
        }

        /** The limit of new topics that fields of messages name per minute. */
        public Builder maxNewNames(int names) {
            return set(NAMES.perMinute(), names);
        }

        public Builder key(Key key) {
            return set(KEY, key);
        }

        public Builder compression(Compression compression) {
            return set(COMPRESSION, compression);
        }

        /** Additional properties of Kafka's producer, such as {@code security.protocol}. */
        public Builder properties(Map<String, String> properties) {
            return set(PROPERTIES, Map.copyOf(properties));
        }

        /** Checks the settings together. */
        public KafkaSettings build() {
            return new KafkaSettings(values());
        }
    }
}
