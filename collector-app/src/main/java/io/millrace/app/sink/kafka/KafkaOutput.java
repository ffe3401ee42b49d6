package io.millrace.app.sink.kafka;

import io.millrace.app.config.FileProblems;
import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.OutputSettings;
import io.millrace.app.config.OutputType;
import io.millrace.app.sink.name.NameLimit;
import io.millrace.app.sink.name.NameTemplate;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;

/** {@code type: kafka}. */
public final class KafkaOutput implements OutputType {
    static final Setting<List<String>> BROKERS = Setting.required(
            "brokers",
            SettingTypes.HOSTS,
            "Brokers to begin with, such as `kafka1:9092`; the others are learnt from them.");

    static final Setting<NameTemplate> TOPIC = Setting.required(
            "topic",
            SettingTypes.parsed("TOPIC", "the name of a topic; it may have fields in braces", KafkaOutput::topic),
            "The topic, with fields as in the path of a file: `logs-{facility}`. A colon becomes `_`.");

    static final Setting<String> FALLBACK_TOPIC = Setting.optional(
            "fallbackTopic",
            SettingTypes.parsed("TOPIC", "the name of a topic", KafkaOutput::fallback),
            "dead letters",
            "The topic for messages whose topic does not exist, cannot exist, or exceeds the limit.");

    static final NameLimit.Settings NAMES = NameLimit.Settings.of(
            "topics that the broker creates for messages",
            1_000,
            100,
            "Further messages go to `fallbackTopic`, or become dead letters.");

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

    static final Setting<KafkaSink.Key> KEY = Setting.withDefault(
            "key",
            SettingTypes.oneOf(KafkaSink.Key.class),
            "source",
            "What determines the partition, and so which messages stay in order. source: the source address;"
                    + " host: the host name in the message, else the address; none: spread evenly.");

    static final Setting<String> COMPRESSION = Setting.withDefault(
            "compression",
            SettingTypes.oneOf("none", "gzip", "snappy", "lz4", "zstd"),
            "lz4",
            "The compression of batches.");

    static final Setting<Map<String, String>> PROPERTIES = Setting.optional(
            "properties",
            SettingTypes.textByName(KafkaOutput::isSecret),
            "none",
            "Additional properties of Kafka's producer, such as `security.protocol`, `sasl.jaas.config` or"
                    + " `ssl.truststore.location`.");

    /** An unknown property may be a secret of a class that Kafka loads. */
    private static boolean isSecret(String property) {
        ConfigDef.ConfigKey key = ProducerConfig.configDef().configKeys().get(property);
        return key == null || key.type == ConfigDef.Type.PASSWORD;
    }

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public String help() {
        return "Sends messages to Kafka, acknowledged by all in-sync replicas, in the order of their shard. Each"
                + " record has the headers `millrace-journal`, `millrace-shard` and `millrace-sequence`, and"
                + " `millrace-part` if its datagram was split. Duplicates after a crash have equal headers.";
    }

    @Override
    public Section settings() {
        return Section.of(BROKERS, TOPIC, FALLBACK_TOPIC, NAMES.max(), NAMES.perMinute(), KEY, COMPRESSION, PROPERTIES);
    }

    @Override
    public List<String> warnings(OutputConfig output) {
        return Stream.of(
                        KafkaSecurity.unused(given(output)),
                        KafkaSecurity.plain(given(output), output.settings().get(BROKERS)))
                .filter(Objects::nonNull)
                .toList();
    }

    @Override
    public void checkFiles(OutputConfig output, FileProblems problems) {
        KafkaFiles.check(
                properties(output),
                (isError, text) ->
                        problems.add(FileProblems.path(output), output.settings(), PROPERTIES, isError, text));
    }

    @Override
    public Sink sink(OutputConfig output, ZoneId timeZone) {
        return new KafkaSink(
                output.settings().get(OutputSettings.FORMAT),
                output.settings().get(TOPIC).in(timeZone),
                output.settings().get(KEY),
                properties(output),
                NAMES.limit(output.settings()),
                output.settings().find(FALLBACK_TOPIC));
    }

    @Override
    public String connect(OutputConfig output, Duration limit) throws IOException, InterruptedException {
        NameTemplate topic = output.settings().get(TOPIC);
        String fallback = output.settings().find(FALLBACK_TOPIC);
        List<String> topics = new ArrayList<>();
        if (topic.isConstant()) {
            topics.add(topic.toString().replace(':', '_'));
        }
        if (fallback != null) {
            topics.add(fallback);
        }
        return new KafkaProbe(output.settings().get(BROKERS), properties(output), limit).ask(topics);
    }

    private static Map<String, Object> properties(OutputConfig output) {
        return KafkaProperties.of(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        String.join(",", output.settings().get(BROKERS)),
                        ProducerConfig.COMPRESSION_TYPE_CONFIG,
                        output.settings().get(COMPRESSION),
                        ProducerConfig.CLIENT_ID_CONFIG,
                        "millrace-" + output.name()),
                given(output));
    }

    /** The properties of the user. */
    private static Map<String, String> given(OutputConfig output) {
        Map<String, String> given = output.settings().find(PROPERTIES);
        return given == null ? Map.of() : given;
    }
}
