package io.millrace.internal.deliver;

import io.millrace.collector.Counter;
import io.millrace.internal.agent.Outage;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Positions;
import io.millrace.sink.Refusal;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.SinkStatus;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The counters of a delivery. Its thread writes them; any thread may call {@link #slow} and {@link #status}. */
final class DeliveryCounters {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryCounters.class);
    private static final long SLOW_NS = TimeUnit.SECONDS.toNanos(10);

    private volatile long oldestNs;
    private volatile long waitingSinceNs;
    private volatile long caughtUpNs = wallNs();
    private final LongAdder batchesOut = new LongAdder();
    private final LongAdder recordsOut = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder ackTotalNs = new LongAdder();
    private volatile long ackMaxNs;
    private final Map<Refusal, LongAdder> refused = adders();
    private final Sink sink;
    private final LongSupplier clock;
    private final DeadLetters deadLetters;

    DeliveryCounters(Sink sink, DeadLetters deadLetters, LongSupplier clock) {
        this.clock = clock;
        this.sink = sink;
        this.deadLetters = deadLetters;
    }

    /** A batch is sent for the first time, or is done because it has nothing to send. */
    void sent(DeliveryBatch batch) {
        if (batchesOut.sum() == 0) {
            waitingSinceNs = batch.sentNs;
            oldestNs = batch.firstTimeNs;
        }
        batchesOut.increment();
        recordsOut.add(batch.size());
    }

    /** Batches failed and will be resent. */
    void retried() {
        retries.increment();
    }

    void settled(DeliveryBatch batch) {
        if (batch.size() > 0) {
            long ackNs = clock.getAsLong() - batch.sentNs;
            batches.increment();
            ackTotalNs.add(ackNs);
            ackMaxNs = Math.max(ackMaxNs, ackNs);
        }
        batchesOut.decrement();
        recordsOut.add(-batch.size());
    }

    private static Map<Refusal, LongAdder> adders() {
        Map<Refusal, LongAdder> all = new EnumMap<>(Refusal.class);
        for (Refusal kind : Refusal.values()) {
            all.put(kind, new LongAdder());
        }
        return Collections.unmodifiableMap(all);
    }

    private LongAdder refusedAs(Refusal kind) {
        return Objects.requireNonNull(refused.get(kind));
    }

    /** Counts the refused records of a settled batch. */
    void refused(DeliveryBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            Refusal kind = batch.kind(i);
            if (kind != null) {
                refusedAs(kind).increment();
            }
        }
    }

    /**
     * Sets the oldest batch that is not delivered.
     *
     * @param out the sink's oldest batch; null if it has none
     * @param filling the batch being filled; null if there is none
     */
    void oldest(@Nullable DeliveryBatch out, @Nullable DeliveryBatch filling) {
        DeliveryBatch next = out == null ? filling : out;
        oldestNs = next == null ? 0 : next.firstTimeNs;
        waitingSinceNs = out == null || out.state() != DeliveryBatch.State.SENT ? 0 : out.attemptNs;
    }

    /** Everything in the journal is delivered. */
    void caughtUp() {
        caughtUpNs = wallNs();
    }

    /** Reports {@link #slow}, unless the destination has just answered. */
    void reportSlow(Outage outage, boolean answered, Positions positions, CounterFile counters) {
        String slow = answered ? null : slow();
        if (slow != null) {
            outage.slow(slow, waitingNs(), pending(positions, counters));
        }
    }

    private long waitingNs() {
        long since = waitingSinceNs;
        return since == 0 ? 0 : clock.getAsLong() - since;
    }

    /** The problem if the destination has not answered for long; null otherwise. */
    @Nullable
    String slow() {
        long ns = waitingNs();
        return ns < SLOW_NS
                ? null
                : "the destination has not answered for " + TimeUnit.NANOSECONDS.toSeconds(ns) + " s";
    }

    /** True if the destination has answered for a batch since the start. */
    boolean hasDelivered() {
        return batches.sum() > 0;
    }

    /** How many datagrams of the journal are not delivered. */
    long pending(Positions positions, CounterFile counters) {
        long pending = 0;
        for (int i = 0; i < counters.shardCount(); i++) {
            ShardCells shard = counters.shard(i);
            pending += left(i, shard, positions, shard.get(Counter.JOURNALED_DATAGRAMS));
        }
        return pending;
    }

    private static long left(int index, ShardCells shard, Positions positions, long journaled) {
        return Math.max(0, positions.upTo(index, journaled) - oldest(index, shard, positions));
    }

    /** The next datagram to deliver that retention has not deleted. */
    private static long oldest(int index, ShardCells shard, Positions positions) {
        return Math.max(positions.next(index), positions.upTo(index, shard.get(Counter.EXPIRED_DATAGRAMS)));
    }

    /** Logs that an output has delivered its range. */
    static void logFinished(SinkSettings settings, long missing) {
        if (missing == 0) {
            LOG.info("Output {} is finished: what was received before {} is delivered", settings.name(), settings.to());
        } else {
            LOG.warn(
                    "Output {} is finished: what was received before {} is delivered, but {} datagrams were no longer in the journal",
                    settings.name(),
                    settings.to(),
                    missing);
        }
    }

    /**
     * The state of the sink.
     *
     * @param known true once the positions have been read
     * @param problem why it does not deliver; null if it does, or is only slow
     */
    SinkStatus status(String name, Positions positions, boolean known, CounterFile counters, @Nullable String problem) {
        long pending = 0;
        long expired = 0;
        double bytes = 0;
        for (int i = 0; i < counters.shardCount(); i++) {
            ShardCells shard = counters.shard(i);
            long journaled = shard.get(Counter.JOURNALED_DATAGRAMS);
            expired += oldest(i, shard, positions) - positions.next(i);
            long left = left(i, shard, positions, journaled);
            pending += left;
            bytes += journaled == 0 ? 0 : (double) left / journaled * shard.get(Counter.JOURNALED_BYTES);
        }
        // A record that is in no batch yet was received after the last time everything was delivered.
        long since = oldestNs == 0 ? caughtUpNs : oldestNs;
        return new SinkStatus(
                name,
                positions.counts(),
                pending,
                known ? expired : 0,
                (long) bytes,
                // The messages of a range are old on purpose.
                pending == 0 || positions.range() != null ? 0 : Math.max(0, wallNs() - since),
                (int) batchesOut.sum(),
                recordsOut.sum(),
                batches.sum(),
                retries.sum(),
                ackTotalNs.sum(),
                ackMaxNs,
                byKind(Refusal.class, kind -> refusedAs(kind).sum()),
                byKind(Adjustment.class, sink::adjusted),
                deadLetters.deleted(),
                deadLetters.lastSource(),
                sink.filesDeleted(),
                positions.isFinished(),
                problem != null ? problem : slow());
    }

    private static <E extends Enum<E>> Map<E, Long> byKind(Class<E> kinds, ToLongFunction<E> count) {
        Map<E, Long> counts = new EnumMap<>(kinds);
        for (E kind : kinds.getEnumConstants()) {
            counts.put(kind, count.applyAsLong(kind));
        }
        return Collections.unmodifiableMap(counts);
    }

    static long wallNs() {
        Instant wall = Clock.systemUTC().instant();
        return wall.getEpochSecond() * 1_000_000_000L + wall.getNano();
    }
}
