package io.millrace.output.kafka;

import io.millrace.output.internal.name.NameLimit;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * The topics from messages that can be written to. The broker is asked once per topic before the first record: a
 * producer waits for a missing topic, and delays all other records. The result for a missing topic is valid for 30 s,
 * or for {@code metadata.max.age.ms} if that is less, so that a topic created later is found. One thread.
 */
final class KafkaTopics implements AutoCloseable {
    private static final long MAX_MISSING_MS = 30_000;
    private static final long ANSWER_S = 30;
    /** The time limit for creating topics in one attempt; created topics stay. */
    private static final long MAKE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int MAX_MISSING = 10_000;

    private final Map<String, Object> properties;
    private final NameLimit limit;
    private final Set<String> delivered = ConcurrentHashMap.newKeySet();
    private final Set<String> there = new HashSet<>();
    private final Map<String, Missing> missing = new HashMap<>();
    private @Nullable Admin admin;
    private final long missingNs;
    private boolean creates;

    /** The state of a topic, and its expiry. */
    private record Missing(String reason, long untilNs) {}

    /**
     * Creates the object.
     *
     * @param properties the properties of the producer, of which the administrator's are used
     * @param limit the limit of topics created for messages
     */
    KafkaTopics(Map<String, Object> properties, NameLimit limit) {
        this.limit = limit;
        this.properties = new HashMap<>(properties);
        this.properties.keySet().retainAll(AdminClientConfig.configNames());
        AdminClientConfig config = new AdminClientConfig(this.properties);
        missingNs = TimeUnit.MILLISECONDS.toNanos(
                Math.min(MAX_MISSING_MS, config.getLong(AdminClientConfig.METADATA_MAX_AGE_CONFIG)));
    }

    /**
     * Asks about unknown topics.
     *
     * @return the topics that cannot be written to, with the reason
     * @throws IOException if the broker does not answer
     */
    Map<String, String> missing(Collection<String> topics, Producer<byte[], byte[]> producer)
            throws IOException, InterruptedException {
        forgetMissing(System.nanoTime(), topics.size());
        Set<String> asked = new HashSet<>(topics);
        asked.removeAll(there);
        asked.removeAll(missing.keySet());
        if (!asked.isEmpty()) {
            try {
                ask(asked, producer);
            } catch (KafkaException | IOException e) {
                // The next attempt starts with a new connection.
                close();
                throw new IOException(KafkaAttempt.text(e), e);
            }
        }
        Map<String, String> found = new HashMap<>();
        for (String topic : topics) {
            Missing said = missing.get(topic);
            if (said != null) {
                found.put(topic, said.reason());
            }
        }
        return found;
    }

    private void ask(Set<String> topics, Producer<byte[], byte[]> producer) throws IOException, InterruptedException {
        Admin open = admin;
        if (open == null) {
            open = Admin.create(properties);
            admin = open;
            creates = createsTopics(open);
        }
        long endNs = System.nanoTime() + MAKE_NS;
        Map<String, KafkaFuture<TopicDescription>> answers =
                open.describeTopics(topics).topicNameValues();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> each : answers.entrySet()) {
            String topic = each.getKey();
            String reason = reason(topic, each.getValue());
            if (reason != null && creates) {
                if (System.nanoTime() - endNs >= 0) {
                    throw new IOException("topics that messages name are being made");
                }
                boolean admitted = limit.admits(topic);
                reason = admitted ? create(topic, producer) : limit + ", so it is not made";
            }
            if (reason == null) {
                there.add(topic);
            } else {
                missing.put(topic, new Missing(reason, System.nanoTime() + missingNs));
            }
        }
    }

    /** Makes room for new topics. */
    private void forgetMissing(long now, int more) {
        missing.values().removeIf(each -> now - each.untilNs() >= 0);
        if (missing.size() + more > MAX_MISSING) {
            missing.clear();
        }
    }

    /** The reason why a topic cannot be written to; null if it can. */
    private @Nullable String reason(String topic, KafkaFuture<TopicDescription> answer)
            throws IOException, InterruptedException {
        try {
            var unused = answer.get(ANSWER_S, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            Throwable cause = cause(e);
            boolean isLost = cause instanceof TopicAuthorizationException && delivered.contains(topic);
            if (isOfTopic(cause) && !isLost) {
                return KafkaAttempt.text(cause);
            }
            throw new IOException(KafkaAttempt.text(cause), e);
        } catch (TimeoutException e) {
            throw new IOException("no answer about a topic within " + ANSWER_S + " s", e);
        }
    }

    private static Throwable cause(ExecutionException e) {
        return e.getCause() == null ? e : e.getCause();
    }

    private static boolean isOfTopic(@Nullable Throwable error) {
        return error instanceof UnknownTopicOrPartitionException
                || error instanceof InvalidTopicException
                || error instanceof TopicAuthorizationException;
    }

    /** The broker may create a topic when a producer requests its metadata. */
    private static @Nullable String create(String topic, Producer<byte[], byte[]> producer) {
        try {
            var unused = producer.partitionsFor(topic);
            return null;
        } catch (KafkaException e) {
            if (isOfTopic(e) || isOfTopic(e.getCause())) {
                return KafkaAttempt.text(e);
            }
            throw e;
        }
    }

    /** True if the broker reports that it creates topics on demand. */
    static boolean createsTopics(Admin admin) throws IOException, InterruptedException {
        try {
            Collection<Node> nodes = admin.describeCluster().nodes().get(ANSWER_S, TimeUnit.SECONDS);
            ConfigResource broker = new ConfigResource(
                    ConfigResource.Type.BROKER, nodes.iterator().next().idString());
            Map<ConfigResource, Config> configs =
                    admin.describeConfigs(List.of(broker)).all().get(ANSWER_S, TimeUnit.SECONDS);
            Config config = configs.get(broker);
            ConfigEntry entry = config == null ? null : config.get("auto.create.topics.enable");
            return entry != null && Boolean.parseBoolean(entry.value());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthorizationException) {
                // Otherwise each topic would cost the time limit of a producer.
                return false;
            }
            throw new IOException(KafkaAttempt.text(cause(e)), e);
        } catch (TimeoutException e) {
            throw new IOException("the broker does not answer within " + ANSWER_S + " s", e);
        }
    }

    /** Called for an acknowledged record. Any thread. */
    void delivered(String topic) {
        delivered.add(topic);
    }

    /**
     * True if this producer never had permission for topics from messages. If it had, the permission was revoked, and
     * the output waits. Any thread.
     */
    boolean isRefused(TopicAuthorizationException error) {
        return error.unauthorizedTopics().stream().noneMatch(delivered::contains);
    }

    /** Clears the cache: a batch failed, and a topic may have been deleted. */
    void forget() {
        there.clear();
        missing.clear();
    }

    @Override
    public void close() {
        Admin open = admin;
        admin = null;
        if (open != null) {
            open.close(Duration.ofSeconds(1));
        }
    }
}
