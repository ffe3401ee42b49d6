package io.millrace.internal.counters;

import io.millrace.collector.Counter;
import io.millrace.collector.HostCounters;
import io.millrace.collector.Ledger;
import java.time.Instant;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Computes a {@link Ledger} from the cells, counted from the start of a process. The values at that start are in the
 * counter file, so another process computes the same ledger. Any thread.
 */
public final class LedgerAccounting implements AutoCloseable {
    private final CounterFile counters;
    private volatile @Nullable Ledger last;

    private LedgerAccounting(CounterFile counters) {
        this.counters = counters;
    }

    /**
     * Starts the accounting of this process.
     *
     * @param host the host's counters before the first socket was bound, so that all later losses count
     */
    public static LedgerAccounting open(CounterFile counters, HostCounters host) {
        boolean killed = counters.unstoppedSince() != null;
        counters.noteStart(nowNs(), host);
        if (killed) {
            counters.shard(0).add(Counter.PROCESS_KILLS, 1);
        }
        return new LedgerAccounting(counters);
    }

    /**
     * Opens the accounting of the process that counts in a file, or did so last.
     *
     * @param counters opened read-only
     */
    public static LedgerAccounting ofOther(CounterFile counters) {
        return new LedgerAccounting(counters);
    }

    /** The current ledger; after the stop of the process, its last one. */
    public Ledger read() {
        Ledger kept = last;
        return kept == null ? now(host()) : kept;
    }

    /** The ledger without the host's counters, which are null in it: reads memory only. */
    public Ledger readWithoutHost() {
        Ledger kept = last;
        return kept == null ? now(HostCounters.of(Map.of())) : kept;
    }

    /** What the policy rejected. */
    private record Rejected(long denied, long filtered, long limited) {
        long sum() {
            return denied + filtered + limited;
        }
    }

    private Ledger now(HostCounters host) {
        // A datagram counts as received before it counts as journaled or rejected. Reading in reverse
        // order keeps in-flight datagrams non-negative, and the ledger closes by construction under load.
        long crash = counters.sum(Counter.CRASH_DATAGRAMS);
        long journaled = counters.sum(Counter.JOURNALED_DATAGRAMS);
        Rejected rejected = new Rejected(
                counters.sum(Counter.DENIED_DATAGRAMS),
                counters.sum(Counter.FILTERED_DATAGRAMS),
                counters.sum(Counter.RATE_LIMITED_DATAGRAMS));
        long merged = counters.sum(Counter.MERGED_CHUNKS);
        long duplicates = counters.sum(Counter.DUPLICATE_CHUNKS);
        long received = counters.sum(Counter.RECEIVED_DATAGRAMS);
        boolean dropsKnown = counters.sum(Counter.SOCKET_DROPS_UNKNOWN) == 0;
        boolean afterStopKnown = counters.sum(Counter.AFTER_STOP_UNKNOWN) == 0;

        long receivedNow = received - counters.atStart(Counter.RECEIVED_DATAGRAMS);
        long journaledNow = journaled - counters.atStart(Counter.JOURNALED_DATAGRAMS);
        long crashNow = crash - counters.atStart(Counter.CRASH_DATAGRAMS);
        Rejected rejectedNow = new Rejected(
                rejected.denied - counters.atStart(Counter.DENIED_DATAGRAMS),
                rejected.filtered - counters.atStart(Counter.FILTERED_DATAGRAMS),
                rejected.limited - counters.atStart(Counter.RATE_LIMITED_DATAGRAMS));
        Ledger.Chunks chunks = new Ledger.Chunks(
                merged - counters.atStart(Counter.MERGED_CHUNKS),
                duplicates - counters.atStart(Counter.DUPLICATE_CHUNKS));
        // An exported journal continues the numbering of the original: those were received there.
        long elsewhere = counters.sum(Counter.NOT_EXPORTED_DATAGRAMS);
        return new Ledger(
                time(counters.startedAtNs()),
                time(counters.stoppedAtNs()),
                receivedNow,
                journaledNow,
                receivedNow - journaledNow - crashNow - rejectedNow.sum() - chunks.sum(),
                crashNow,
                afterStopKnown ? since(Counter.AFTER_STOP_DROPS) : null,
                chunks,
                dropped(dropsKnown, this::since, rejectedNow),
                host,
                since(Counter.TRUNCATED_DATAGRAMS),
                since(Counter.EXPIRED_UNREAD_DATAGRAMS),
                streams(),
                since(Counter.PROCESS_KILLS) > 0,
                new Ledger.Lifetime(
                        received - elsewhere,
                        journaled - elsewhere,
                        crash,
                        counters.sum(Counter.AFTER_STOP_DROPS),
                        new Ledger.Chunks(merged, duplicates),
                        dropped(dropsKnown, counters::sum, rejected),
                        counters.sum(Counter.EXPIRED_UNREAD_DATAGRAMS),
                        counters.sum(Counter.PROCESS_KILLS)));
    }

    /** The growth of a counter since the start of the process, over all shards. */
    public long since(Counter counter) {
        return counters.sum(counter) - counters.atStart(counter);
    }

    private Ledger.Streams streams() {
        long payload = since(Counter.STREAM_PAYLOAD_BYTES);
        long framing = since(Counter.STREAM_FRAMING_BYTES);
        long skipped = since(Counter.STREAM_SKIPPED_BYTES);
        long read = since(Counter.STREAM_READ_BYTES);
        long pending = Math.max(0, read - payload - framing - skipped);
        return new Ledger.Streams(read, payload, framing, skipped, pending, since(Counter.AFTER_STOP_BYTES));
    }

    private HostCounters host() {
        boolean stopped = counters.stoppedAtNs() != 0;
        return (stopped ? counters.hostAtStop() : HostCounters.read()).since(counters.hostAtStart());
    }

    private static Ledger.Dropped dropped(boolean known, ToLongFunction<Counter> value, Rejected rejected) {
        return new Ledger.Dropped(
                known ? value.applyAsLong(Counter.SOCKET_DROPS) : null,
                known ? value.applyAsLong(Counter.JOURNAL_FULL_DROPS) : null,
                rejected.denied,
                rejected.filtered,
                rejected.limited);
    }

    private static @Nullable Instant time(long epochNs) {
        return epochNs == 0 ? null : Instant.ofEpochSecond(0, epochNs);
    }

    private static long nowNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    /** Stores the stop of the process: all later readers get the last ledger. */
    @Override
    public void close() {
        counters.noteStop(nowNs(), HostCounters.read());
        // Another process may change the cells from now on.
        last = now(host());
    }
}
