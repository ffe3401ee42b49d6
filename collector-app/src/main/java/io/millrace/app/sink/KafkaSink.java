package io.millrace.app.sink;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.millrace.deliver.Sink;
import io.millrace.deliver.SinkBatch;
import io.millrace.format.LineBuffer;
import io.millrace.format.LineFormat;
import io.millrace.format.LogRecord;
import io.millrace.format.RawFormat;
import io.millrace.format.RecordField;
import io.millrace.record.DatagramView;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * To Kafka, by an idempotent producer that itself tries again for ever, and so keeps the order of several batches on their
 * way. Only what it cannot mend by that fails a batch. Then the producer is closed at once, on the thread that met the
 * failure, so that it does not go on with the batches behind; these fail too, and a new producer sends all of them again in
 * their order.
 */
final class KafkaSink implements Sink {
    /** What the key of a record is. */
    enum Key {
        SOURCE,
        HOST,
        NONE
    }

    /** Where a record goes, and its key. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared, never changed.
    private record Route(String topic, byte @Nullable [] key) {}

    private static final int MOST_IN_FLIGHT = 8;
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final LineFormat format;
    private final NameTemplate topic;
    private final Key key;
    private final Map<String, Object> properties;
    private final int maxRequestBytes;
    private final AtomicReference<@Nullable Producer<byte[], byte[]>> producer = new AtomicReference<>();
    private final Set<SinkBatch> failed = Collections.newSetFromMap(new IdentityHashMap<>());
    private long journalOfHeader;
    private Header journal = new RecordHeader("millrace-journal", new byte[0]);
    private int shardOfHeader = -1;
    private Header shard = new RecordHeader("millrace-shard", new byte[0]);
    private final LineBuffer number = new LineBuffer();

    KafkaSink(LineFormat format, NameTemplate topic, Key key, Map<String, Object> properties) {
        this.format = format;
        this.topic = topic;
        this.key = key;
        this.properties = Map.copyOf(properties);
        this.maxRequestBytes =
                new ProducerConfig(new HashMap<>(properties)).getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
    }

    /**
     * The producer's settings.
     *
     * @param own those of the output
     * @param user those a user names; they win, but for what delivery depends on
     * @throws IllegalArgumentException if Kafka does not take them
     */
    static Map<String, Object> properties(Map<String, String> own, Map<String, String> user) {
        Map<String, Object> all = new HashMap<>();
        all.put(ProducerConfig.LINGER_MS_CONFIG, "5");
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(512 << 10));
        all.put(ProducerConfig.BUFFER_MEMORY_CONFIG, Integer.toString(64 << 20));
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
        // In an outage the client logs each attempt to connect.
        all.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "10000");
        // How long the thread of the output waits for what a broker tells of a topic.
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "30000");
        all.putAll(own);
        all.putAll(user);
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        all.put(ProducerConfig.RETRIES_CONFIG, Integer.toString(Integer.MAX_VALUE));
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.toString(Integer.MAX_VALUE));
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
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
            throw new IllegalArgumentException(
                    "it has " + (out.length() - begin) + " bytes, and max.request.size is " + maxRequestBytes);
        }
        return new Route(topic.of(record).replace(':', '_'), key(record));
    }

    private byte @Nullable [] key(LogRecord record) {
        if (key == Key.NONE) {
            return null;
        }
        if (key == Key.HOST && RecordField.HOSTNAME.isIn(record)) {
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
        RecordField.sourceIp(datagram, number);
        return Arrays.copyOf(number.array(), number.length());
    }

    @Override
    public int maxInFlight() {
        return MOST_IN_FLIGHT;
    }

    @Override
    public void send(SinkBatch batch) throws IOException, InterruptedException {
        KafkaAttempt attempt = new KafkaAttempt(batch, this::giveUp);
        try {
            Producer<byte[], byte[]> open;
            synchronized (failed) {
                if (!failed.isEmpty() && !failed.remove(batch)) {
                    // One that was sent before it has just failed.
                    failed.add(batch);
                    batch.failed("what comes before it has to be sent again");
                    return;
                }
                // Under the same lock: one that fails from now on ends this producer, and no other sends this batch.
                open = producer();
            }
            for (int i = 0; i < batch.size() && !attempt.hasEnded(); i++) {
                if (batch.isOpen(i)) {
                    // What becomes of it is said to the callback.
                    var unused = open.send(record(batch, i), attempt.begin(i));
                }
            }
        } catch (org.apache.kafka.common.errors.InterruptException e) {
            // Before the producer is closed: the exception has set the flag again, and closing fails on a thread that
            // has it.
            var unused = Thread.interrupted();
            attempt.fail("interrupted");
            throw new InterruptedException("sending to Kafka was interrupted");
        } catch (KafkaException | IllegalStateException e) {
            attempt.fail(KafkaAttempt.text(e));
        } catch (RuntimeException | Error e) {
            // Before it is thrown: what is acknowledged of the batch from now on must not count for the rest.
            attempt.fail(KafkaAttempt.text(e));
            throw e;
        }
        attempt.endOfBatch();
    }

    /** A batch fails: nothing more goes out by this producer. By the thread that met it, which may be the producer's own. */
    private void giveUp(SinkBatch batch) {
        Producer<byte[], byte[]> open;
        synchronized (failed) {
            open = producer.getAndSet(null);
            failed.add(batch);
        }
        if (open != null) {
            try {
                open.close(Duration.ZERO);
            } catch (org.apache.kafka.common.errors.InterruptException e) {
                // It is closed but for the wait; the flag is set again, for whoever waits next.
            }
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

    private ProducerRecord<byte[], byte[]> record(SinkBatch batch, int index) {
        Route route = (Route) Objects.requireNonNull(batch.tag(index));
        byte[] value = Arrays.copyOfRange(batch.array(), batch.begin(index), batch.end(index));
        long timeMs = TimeUnit.NANOSECONDS.toMillis(batch.receiveTimeNs(index));
        return new ProducerRecord<>(route.topic(), null, timeMs, route.key(), value, headers(batch, index));
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
    }
}
