package io.millrace.internal.counters;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounters;
import io.millrace.collector.Ledger;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes a {@link Ledger} from the cells, counted from the start of a process. The values at that start are in the
 * counter file, so another process computes the same ledger. Any thread.
 */
public final class LedgerAccounting implements AutoCloseable {
    private static final List<DropReason> OURS =
            Arrays.stream(DropReason.values()).filter(DropReason::isOurs).toList();

    /** What the kernel counts at a socket whose count may be unavailable. */
    private static final Set<DropReason> AT_FULL_SOCKETS =
            EnumSet.of(DropReason.SOCKET_BUFFER, DropReason.JOURNAL_FULL);

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

    private Ledger now(HostCounters host) {
        // A datagram counts as received before it counts as journaled or lost. Reading in reverse
        // order keeps in-flight datagrams non-negative, and the ledger closes by construction under load.
        Map<DropReason, Long> sums = new EnumMap<>(DropReason.class);
        for (DropReason reason : OURS) {
            sums.put(reason, counters.sum(reason.counter()));
        }
        long journaled = counters.sum(Counter.JOURNALED_DATAGRAMS) - sums.get(DropReason.POWER_FAILURE);
        long merged = counters.sum(Counter.MERGED_CHUNKS);
        long duplicates = counters.sum(Counter.DUPLICATE_CHUNKS);
        long received = counters.sum(Counter.RECEIVED_DATAGRAMS);

        long receivedNow = received - counters.atStart(Counter.RECEIVED_DATAGRAMS);
        long journaledNow = journaled
                - counters.atStart(Counter.JOURNALED_DATAGRAMS)
                + counters.atStart(DropReason.POWER_FAILURE.counter());
        Ledger.Chunks chunks = new Ledger.Chunks(
                merged - counters.atStart(Counter.MERGED_CHUNKS),
                duplicates - counters.atStart(Counter.DUPLICATE_CHUNKS));
        Map<DropReason, Long> drops = new EnumMap<>(sums);
        drops.replaceAll((reason, sum) -> sum - counters.atStart(reason.counter()));
        long lost = 0;
        for (Map.Entry<DropReason, Long> each : drops.entrySet()) {
            lost += each.getKey().isAfterReceipt() ? each.getValue() : 0;
        }
        if (counters.sum(Counter.SOCKET_DROPS_UNKNOWN) != 0) {
            drops.keySet().removeAll(AT_FULL_SOCKETS);
            sums.keySet().removeAll(AT_FULL_SOCKETS);
        }
        if (counters.sum(Counter.AFTER_STOP_UNKNOWN) != 0) {
            drops.remove(DropReason.AFTER_STOP);
        }
        // An exported journal continues the numbering of the original: those were received there.
        long elsewhere = counters.sum(Counter.NOT_EXPORTED_DATAGRAMS);
        return new Ledger(
                time(counters.startedAtNs()),
                time(counters.stoppedAtNs()),
                receivedNow,
                journaledNow,
                receivedNow - journaledNow - lost - chunks.sum(),
                chunks,
                drops,
                host,
                since(Counter.TRUNCATED_DATAGRAMS),
                since(Counter.EXPIRED_UNREAD_DATAGRAMS),
                streams(),
                since(Counter.PROCESS_KILLS) > 0,
                new Ledger.Lifetime(
                        received - elsewhere,
                        journaled - elsewhere,
                        new Ledger.Chunks(merged, duplicates),
                        sums,
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
