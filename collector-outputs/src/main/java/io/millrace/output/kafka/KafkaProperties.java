package io.millrace.output.kafka;

import io.millrace.internal.text.NearestName;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The properties of a producer: those of the output, those of the user, and those that delivery depends on. */
final class KafkaProperties {
    /** The properties that delivery depends on. */
    private static final Map<String, String> FIXED = Map.of(
            ProducerConfig.ACKS_CONFIG,
            "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            "true",
            ProducerConfig.RETRIES_CONFIG,
            Integer.toString(Integer.MAX_VALUE),
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            Integer.toString(Integer.MAX_VALUE),
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ByteArraySerializer.class.getName(),
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            ByteArraySerializer.class.getName());

    private KafkaProperties() {}

    /**
     * The properties of the producer.
     *
     * @param own the properties of the output
     * @param user the properties of the user; they override others, except for those that delivery depends on
     * @throws IllegalArgumentException if Kafka rejects them
     */
    static Map<String, Object> of(Map<String, String> own, Map<String, String> user) {
        Map<String, Object> all = new HashMap<>();
        all.put(ProducerConfig.LINGER_MS_CONFIG, "5");
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(512 << 10));
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Integer.toString(64 << 20));
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
        // In an outage the client logs each attempt to connect.
        all.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "10000");
        // The time limit for metadata of a topic on the output's thread.
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "30000");
        all.putAll(own);
        user.forEach(KafkaProperties::check);
        all.putAll(user);
        all.putAll(FIXED);
        if (user.containsKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG)) {
            throw new IllegalArgumentException(
                    "properties: transactional.id is not taken; records are told apart by their" + " headers");
        }
        try {
            var unused = new ProducerConfig(new HashMap<>(all));
        } catch (KafkaException e) {
            throw new IllegalArgumentException("properties: " + e.getMessage(), e);
        }
        return all;
    }

    private static void check(String property, String value) {
        String fixed = FIXED.get(property);
        if (fixed != null && !fixed.equals(value)) {
            throw new IllegalArgumentException("properties: " + property + " is always " + fixed + ", not " + value
                    + ", so that no acknowledged message is lost and their order stays");
        }
        String hint = ProducerConfig.configNames().contains(property)
                ? ""
                : NearestName.hint(property, ProducerConfig.configNames());
        if (!hint.isEmpty()) {
            throw new IllegalArgumentException("properties: Kafka has no property " + property + hint);
        }
    }
}
