package io.millrace.output.kafka;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks Kafka for its brokers and for the topics of an output. It creates no topic. One thread. */
final class KafkaProbe {
    private final List<String> brokers;
    private final Map<String, Object> properties;
    private final long endNs;
    private final Duration limit;

    /**
     * Creates a probe.
     *
     * @param properties those of the producer, of which the administrator's are used
     */
    KafkaProbe(List<String> brokers, Map<String, Object> properties, Duration limit) {
        this.brokers = brokers;
        this.properties = new HashMap<>(properties);
        this.properties.keySet().retainAll(AdminClientConfig.configNames());
        this.limit = limit;
        this.endNs = System.nanoTime() + limit.toNanos();
    }

    /**
     * Asks.
     *
     * @param topics the topics whose names do not depend on messages
     * @return what answered
     * @throws IOException if no broker answers in time, or a topic cannot be written to
     */
    String ask(List<String> topics) throws IOException, InterruptedException {
        try {
            List<String> silent = unreachable(brokers, limit.dividedBy(2L * brokers.size()));
            String timeoutMs = Long.toString(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime())));
            properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, timeoutMs);
            properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMs);
            try (Admin admin = Admin.create(properties)) {
                try {
                    int nodes = answer(admin.describeCluster().nodes()).size();
                    StringBuilder said = new StringBuilder("Kafka answers, brokers: " + nodes);
                    for (String topic : topics) {
                        said.append("; topic ").append(topic).append(topic(admin, topic));
                    }
                    silent.forEach(
                            broker -> said.append("; cannot be reached: ").append(broker));
                    return said.toString();
                } finally {
                    admin.close(Duration.ZERO);
                }
            }
        } catch (IOException e) {
            throw new IOException("Kafka at " + String.join(", ", brokers) + ": " + e.getMessage(), e);
        } catch (KafkaException e) {
            throw new IOException("Kafka at " + String.join(", ", brokers) + ": " + KafkaAttempt.text(e), e);
        }
    }

    /**
     * Connects to each broker of the list: Kafka's client says of a refused connection only that there was no answer.
     *
     * @param each how long each may take
     * @return those that do not accept connections
     * @throws IOException if none does
     */
    static List<String> unreachable(List<String> brokers, Duration each) throws IOException {
        List<String> silent = new ArrayList<>();
        IOException last = null;
        int shareMs = (int) Math.max(1, each.toMillis());
        for (String broker : brokers) {
            int colon = broker.lastIndexOf(':');
            String host = broker.substring(0, colon).replaceAll("[\\[\\]]", "");
            try (Socket socket = new Socket()) {
                int port = Integer.parseInt(broker.substring(colon + 1));
                socket.connect(new InetSocketAddress(InetAddress.getByName(host), port), shareMs);
            } catch (IOException e) {
                last = e;
                silent.add(broker);
            }
        }
        if (last != null && silent.size() == brokers.size()) {
            throw last;
        }
        return silent;
    }

    private String topic(Admin admin, String topic) throws IOException, InterruptedException {
        KafkaFuture<TopicDescription> description = Objects.requireNonNull(
                admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
        try {
            return " with partitions: " + answer(description).partitions().size();
        } catch (UnknownTopicException e) {
            if (KafkaTopics.createsTopics(admin)) {
                return " does not exist, and the broker creates it";
            }
            throw new IOException("topic " + topic + " does not exist, and the broker creates none: create it", e);
        } catch (IOException e) {
            throw new IOException("topic " + topic + ": " + e.getMessage(), e);
        }
    }

    /** A topic that does not exist. */
    private static final class UnknownTopicException extends IOException {
        private static final long serialVersionUID = 1;

        UnknownTopicException(Throwable cause) {
            super(cause);
        }
    }

    private <T> T answer(KafkaFuture<T> answer) throws IOException, InterruptedException {
        try {
            return answer.get(Math.max(1, endNs - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof UnknownTopicOrPartitionException) {
                throw new UnknownTopicException(cause);
            }
            if (cause instanceof org.apache.kafka.common.errors.TimeoutException) {
                throw noAnswer(cause);
            }
            String advice = cause instanceof AuthenticationException
                    ? ": check security.protocol, and the properties that begin with sasl. and ssl."
                    : "";
            throw new IOException(KafkaAttempt.text(cause) + advice, cause);
        } catch (TimeoutException e) {
            throw noAnswer(e);
        }
    }

    private IOException noAnswer(Throwable cause) {
        return new IOException(
                "a connection is accepted, and nothing answers as Kafka within " + limit.toSeconds()
                        + " s: is security.protocol the one of this port, and can this host resolve and reach the names that"
                        + " the brokers advertise?",
                cause);
    }
}
