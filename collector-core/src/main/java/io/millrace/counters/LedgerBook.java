package io.millrace.counters;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds the cells up to a {@link Ledger}. Made at the start of a process, whose ledger counts from then. Any thread. */
public final class LedgerBook {
    private final CounterFile counters;
    private final Map<Counter, Long> atStart = new EnumMap<>(Counter.class);
    private final HostCounters hostAtStart = HostCounters.read();

    /** Opens the book: what the cells hold now is the past. */
    public LedgerBook(CounterFile counters) {
        this.counters = counters;
        for (Counter counter : Counter.values()) {
            atStart.put(counter, counters.sum(counter));
        }
    }

    /**
     * The ledger at this moment.
     *
     * @param socketDropsKnown whether the drops of every socket could be read
     * @param afterStopKnown whether the transport can tell what arrived after the stop
     */
    public Ledger read(boolean socketDropsKnown, boolean afterStopKnown) {
        // A datagram is counted as received before it can be counted as journaled. Reading in the opposite order, what
        // is in flight is never negative, and the ledger closes by construction while traffic runs.
        long crash = counters.sum(Counter.CRASH_DATAGRAMS);
        long journaled = counters.sum(Counter.JOURNALED_DATAGRAMS);
        long received = counters.sum(Counter.RECEIVED_DATAGRAMS);
        Long socketDrops = socketDropsKnown ? counters.sum(Counter.SOCKET_DROPS) : null;

        long receivedNow = received - base(Counter.RECEIVED_DATAGRAMS);
        long journaledNow = journaled - base(Counter.JOURNALED_DATAGRAMS);
        long crashNow = crash - base(Counter.CRASH_DATAGRAMS);
        return new Ledger(
                receivedNow,
                journaledNow,
                receivedNow - journaledNow - crashNow,
                crashNow,
                afterStopKnown ? since(Counter.AFTER_STOP_DROPS) : null,
                dropped(socketDrops == null ? null : socketDrops - base(Counter.SOCKET_DROPS)),
                HostCounters.read().since(hostAtStart),
                since(Counter.TRUNCATED_DATAGRAMS),
                0,
                new Ledger.Lifetime(received, journaled, crash, dropped(socketDrops)));
    }

    /** How much a counter has grown since the book was opened, over all shards. */
    public long since(Counter counter) {
        return counters.sum(counter) - base(counter);
    }

    private static Ledger.Dropped dropped(@Nullable Long socketBuffer) {
        // Nothing denies, limits or fills up in this version: these are true zeros.
        return new Ledger.Dropped(socketBuffer, 0, 0, 0);
    }

    private long base(Counter counter) {
        return atStart.getOrDefault(counter, 0L);
    }
}
