package io.millrace.output.kafka;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.apache.kafka.clients.producer.ProducerConfig.BOOTSTRAP_SERVERS_CONFIG;

import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.format.RawFormat;
import io.millrace.journal.DatagramView;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.message.RecordField;
import io.millrace.output.internal.name.NameLimit;
import io.millrace.output.internal.name.NameTemplate;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Refusal;
import io.millrace.sink.RefusedException;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * The sink for Kafka, with an idempotent producer that retries without end and so keeps the order of several batches in
 * flight. Only failures that it cannot retry fail a batch. The producer is then closed at once, on the thread of the
 * failure, so that it does not continue with later batches. These fail as well, and a new producer resends all of them
 * in order.
 *
 * <p>A topic from messages that does not exist, or cannot exist, is an error of these messages: they go to the fallback
 * topic or become dead letters.
 */
final class KafkaSink implements Sink {
    /** The topic and the key of a record. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared and never changed.
    private record Route(String topic, byte @Nullable [] key) {}

    private static final int MAX_IN_FLIGHT = 8;
    private static final Duration CONNECT = Duration.ofSeconds(1);
    private static final Duration CLOSE = Duration.ofSeconds(2);
    private static final int MAX_TOPIC_LENGTH = 249;

    /**
     * The multiple of Kafka's {@code request.timeout.ms} that a record may wait for a topic from messages: it may have
     * been deleted, and is checked again then.
     */
    private static final int DELIVERY_REQUESTS = 4;

    private final LineFormat format;
    private final NameTemplate topic;
    private final KafkaSettings.Key key;
    private final Map<String, Object> properties;
    private final @Nullable String fallbackTopic;
    private final KafkaTopics topics;
    private final LongAdder renamed = new LongAdder();
    private final int maxRequestBytes;
    private final AtomicReference<@Nullable Producer<byte[], byte[]>> producer = new AtomicReference<>();
    private final Set<SinkBatch> failed = Collections.newSetFromMap(new IdentityHashMap<>());
    private long journalOfHeader;
    private Header journal = new RecordHeader("millrace-journal", new byte[0]);
    private final AtomicLong failures = new AtomicLong();
    private long failuresSeen;
    private int shardOfHeader = -1;
    private Header shard = new RecordHeader("millrace-shard", new byte[0]);
    private final LineBuffer number = new LineBuffer();

    /**
     * Creates the sink, which connects on demand.
     *
     * @param limit the limit of topics created for messages
     * @param fallbackTopic the topic for messages whose topic cannot be used; null for dead letters
     */
    KafkaSink(
            LineFormat format,
            NameTemplate topic,
            KafkaSettings.Key key,
            Map<String, Object> properties,
            NameLimit limit,
            @Nullable String fallbackTopic) {
        this.format = format;
        this.topic = topic;
        this.key = key;
        Map<String, Object> all = new HashMap<>(properties);
        if (topic.isOfMessages()) {
            int requestMs = new ProducerConfig(new HashMap<>(all)).getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
            all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.toString(DELIVERY_REQUESTS * requestMs));
        }
        this.properties = Map.copyOf(all);
        this.fallbackTopic = fallbackTopic;
        this.topics = new KafkaTopics(all, limit);
        this.maxRequestBytes =
                new ProducerConfig(new HashMap<>(properties)).getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
    }

    @Override
    public Object encode(LogRecord record, LineBuffer out) {
        int begin = out.length();
        if (format instanceof RawFormat) {
            out.append(record.bytes(), record.begin(), record.end());
        } else {
            format.write(record, out);
            // A record needs no line feed.
            out.end(out.length() - 1);
        }
        if (out.length() - begin > maxRequestBytes) {
            throw new RefusedException(
                    Refusal.TOO_LONG,
                    "it has " + (out.length() - begin) + " bytes, and max.request.size is " + maxRequestBytes);
        }
        return new Route(topic(record), key(record));
    }

    private String topic(LogRecord record) {
        NameTemplate.Name name = topic.of(record);
        String text = name.text().replace(':', '_');
        if (!topic.isOfMessages()) {
            return text;
        }
        if (text.length() > MAX_TOPIC_LENGTH || text.matches("\\.\\.?")) {
            return fallback(text + " cannot be the name of a topic");
        }
        return text;
    }

    private String fallback(String reason) {
        if (fallbackTopic == null) {
            throw new RefusedException(Refusal.NAME, Secrets.known().redact(reason));
        }
        return fallbackTopic;
    }

    @Override
    public long adjusted(Adjustment how) {
        return how == Adjustment.RENAMED ? renamed.sum() : 0;
    }

    private byte @Nullable [] key(LogRecord record) {
        if (key == KafkaSettings.Key.NONE) {
            return null;
        }
        if (key == KafkaSettings.Key.HOST && RecordField.HOSTNAME.isIn(record)) {
            return Arrays.copyOfRange(
                    RecordField.HOSTNAME.bytes(record),
                    RecordField.HOSTNAME.begin(record),
                    RecordField.HOSTNAME.end(record));
        }
        DatagramView datagram = record.datagram();
        if (datagram == null) {
            return null;
        }
        number.clear();
        number.source(datagram);
        return Arrays.copyOf(number.array(), number.length());
    }

    @Override
    public int maxInFlight() {
        return MAX_IN_FLIGHT;
    }

    @Override
    public void send(SinkBatch batch) throws IOException, InterruptedException {
        KafkaAttempt attempt =
                new KafkaAttempt(batch, this::giveUp, error -> topic.isOfMessages() && topics.isRefused(error));
        try {
            if (producer.get() == null) {
                reach();
            }
            Producer<byte[], byte[]> open;
            synchronized (failed) {
                if (!failed.isEmpty() && !failed.remove(batch)) {
                    // A batch that was sent before has failed.
                    failed.add(batch);
                    batch.failed("what comes before it has to be sent again");
                    return;
                }
                // Under the same lock: a failure from now on ends this producer, and no other one sends this batch.
                open = producer();
            }
            Map<String, String> missing = missing(batch, open);
            for (int i = 0; i < batch.size() && !attempt.hasEnded(); i++) {
                String to = batch.isOpen(i) ? topic(batch, i, missing, attempt) : null;
                if (to != null) {
                    // The callback handles the result.
                    var unused = open.send(record(batch, i, to), attempt.begin(i, delivered(batch, i, to)));
                }
            }
        } catch (org.apache.kafka.common.errors.InterruptException e) {
            // Before the producer is closed: the exception has set the interrupt flag again, and closing fails on a
            // thread with that flag.
            var unused = Thread.interrupted();
            attempt.fail("interrupted");
            throw new InterruptedException("sending to Kafka was interrupted");
        } catch (InterruptedException e) {
            attempt.fail("interrupted");
            throw e;
        } catch (IOException | KafkaException | IllegalStateException e) {
            attempt.fail(KafkaAttempt.text(e));
            FatalErrors.rethrow(e);
        } catch (RuntimeException | Error e) {
            // Before the exception: later acknowledgements of the batch must not count.
            attempt.fail(KafkaAttempt.text(e));
            throw e;
        }
        attempt.endOfBatch();
    }

    /** The topics of a batch's messages that cannot be written to, with the reasons. */
    private Map<String, String> missing(SinkBatch batch, Producer<byte[], byte[]> open)
            throws IOException, InterruptedException {
        if (!topic.isOfMessages()) {
            return Map.of();
        }
        if (failures.get() != failuresSeen) {
            failuresSeen = failures.get();
            topics.forget();
        }
        Set<String> named = new HashSet<>();
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isOpen(i)) {
                named.add(route(batch, i).topic());
            }
        }
        if (fallbackTopic != null) {
            named.add(fallbackTopic);
        }
        return topics.missing(named, open);
    }

    /** The destination of a record; null if it is rejected because neither its topic nor the fallback can be written to. */
    private @Nullable String topic(SinkBatch batch, int index, Map<String, String> missing, KafkaAttempt attempt) {
        String own = route(batch, index).topic();
        String reason = missing.get(own);
        if (reason == null || (fallbackTopic != null && !missing.containsKey(fallbackTopic))) {
            return reason == null ? own : fallbackTopic;
        }
        attempt.refuse(index, Refusal.NAME, Secrets.known().redact("topic " + own + ": " + reason));
        return null;
    }

    /** Handles the acknowledgement of a record, on the producer's thread. */
    private Runnable delivered(SinkBatch batch, int index, String to) {
        boolean isRenamed = !to.equals(route(batch, index).topic());
        return () -> {
            topics.delivered(to);
            if (isRenamed) {
                renamed.increment();
            }
        };
    }

    private static Route route(SinkBatch batch, int index) {
        return (Route) Objects.requireNonNull(batch.tag(index));
    }

    /** Handles the failure of a batch: this producer sends no more. On the thread of the failure, which may be the producer's. */
    private void giveUp(SinkBatch batch) {
        Producer<byte[], byte[]> open;
        synchronized (failed) {
            open = producer.getAndSet(null);
            failed.add(batch);
        }
        failures.incrementAndGet();
        if (open != null) {
            try {
                open.close(Duration.ZERO);
            } catch (org.apache.kafka.common.errors.InterruptException e) {
                // It is closed except for the wait; the interrupt flag is set again.
            }
        }
    }

    /** Kafka's client would wait for half a minute, and then speak of a missing topic. */
    private void reach() throws IOException {
        List<String> brokers = new ProducerConfig(new HashMap<>(properties)).getList(BOOTSTRAP_SERVERS_CONFIG);
        try {
            var unused = KafkaProbe.unreachable(brokers, CONNECT);
        } catch (IOException e) {
            // Not as the cause: its message would be repeated.
            IOException unreachable = new IOException("no broker can be reached at " + String.join(", ", brokers) + ": "
                    + e.getMessage() + ": do they run, and are these their ports?");
            unreachable.addSuppressed(e);
            throw unreachable;
        }
    }

    private Producer<byte[], byte[]> producer() {
        Producer<byte[], byte[]> open = producer.get();
        if (open == null) {
            open = new KafkaProducer<>(properties);
            producer.set(open);
        }
        return open;
    }

    private ProducerRecord<byte[], byte[]> record(SinkBatch batch, int index, String to) {
        Route route = route(batch, index);
        byte[] value = Arrays.copyOfRange(batch.array(), batch.begin(index), batch.end(index));
        long timeMs = TimeUnit.NANOSECONDS.toMillis(batch.receiveTimeNs(index));
        return new ProducerRecord<>(to, null, timeMs, route.key(), value, headers(batch, index));
    }

    private List<Header> headers(SinkBatch batch, int index) {
        Header sequence = header("millrace-sequence", batch.sequence(index));
        return batch.part(index) == SinkBatch.NO_PART
                ? List.of(journal(batch), shard(batch, index), sequence)
                : List.of(journal(batch), shard(batch, index), sequence, header("millrace-part", batch.part(index)));
    }

    private Header journal(SinkBatch batch) {
        if (journalOfHeader != batch.journalId() || journal.value().length == 0) {
            journalOfHeader = batch.journalId();
            journal = new RecordHeader(
                    "millrace-journal",
                    String.format(Locale.ROOT, "%016x", journalOfHeader).getBytes(US_ASCII));
        }
        return journal;
    }

    private Header shard(SinkBatch batch, int index) {
        if (shardOfHeader != batch.shard(index)) {
            shardOfHeader = batch.shard(index);
            shard = header("millrace-shard", shardOfHeader);
        }
        return shard;
    }

    private static Header header(String key, long value) {
        return new RecordHeader(key, Long.toString(value).getBytes(US_ASCII));
    }

    @Override
    public void close() {
        Producer<byte[], byte[]> open = producer.getAndSet(null);
        if (open != null) {
            open.close(CLOSE);
        }
        topics.close();
    }
}
