package io.millrace.internal.transport.stream;

import io.millrace.collector.Network;
import io.millrace.collector.StreamCounter;
import io.millrace.internal.transport.framing.RemainderPool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The limit for the memory of what the connections of an event loop have begun and not finished: messages, TLS handshakes, answers that a
 * client does not read. A limit per connection would not do, because there may be many connections.
 *
 * <p>At the limit, connections are closed until an eighth of it is free. Sources give way in the order of what they hold and for how long
 * they have finished nothing. So a relay whose messages end is never the first, whatever it sends. The loop's thread.
 */
final class MemoryGuard {
    /** What a TLS handshake may hold, on the heap and in buffers. */
    static final int HANDSHAKE_BYTES = 32 << 10;

    private static final int IPV4_NETWORK_BITS = 24;
    private static final int MIN_HELD_BYTES = 256;
    private static final long MIN_AGE_NS = 1_000_000;
    private static final long MAX_TOTAL_BYTES = 256L << 20;
    private static final long MIN_TOTAL_BYTES = 16L << 20;
    /** Looking for the connections that hold most takes about a millisecond. */
    private static final long MIN_RELIEF_NS = 10_000_000;

    private static final int HEAP_PART = 4;

    private final long limitBytes;
    private final RemainderPool pool;
    private final StreamConnections connections;
    private long handshakeBytes;
    private long relievedNs = System.nanoTime() - MIN_RELIEF_NS;

    MemoryGuard(long limitBytes, RemainderPool pool, StreamConnections connections) {
        this.limitBytes = limitBytes;
        this.pool = pool;
        this.connections = connections;
    }

    /** The limit of each of some event loops: together a quarter of the heap, and at most 256 MiB. */
    static long limitBytes(int loops) {
        long part = Runtime.getRuntime().maxMemory() / HEAP_PART;
        return Math.max(MIN_TOTAL_BYTES, Math.min(MAX_TOTAL_BYTES, part)) / loops;
    }

    /** Takes note of memory that a TLS handshake takes or releases. */
    void handshake(int bytes) {
        handshakeBytes += bytes;
    }

    /** True if what is kept is above the limit. Cheap: to be asked after each read. */
    boolean isExceeded() {
        return pool.usedBytes() + handshakeBytes > limitBytes;
    }

    /** Closes connections if all of them hold too much. While the journal takes nothing, that would free nothing. */
    void relieve(OpenConnections open, SlowedConnections slowed, long nowNs) {
        if (connections.isStarved() || nowNs - relievedNs < MIN_RELIEF_NS) {
            return;
        }
        relievedNs = nowNs;
        List<StreamConnection> holders = new ArrayList<>(slowed.all());
        for (int i = 0; i < open.size(); i++) {
            if (!open.get(i).waits() || open.get(i).isBlocked()) {
                holders.add(open.get(i));
            }
        }
        for (StreamConnection connection : excess(holders, nowNs)) {
            connection.reportMemory();
            if (slowed.remove(connection)) {
                // Above its rate limit it would free its memory too late.
                connection.abandon(pool);
                connection.resume();
            }
            connection.decoder.cut();
            if (connection.hasEnded()) {
                connection.forget();
            } else {
                connections.close(connection, StreamCounter.CLOSED_MEMORY);
            }
        }
    }

    /** Connections of a network, the heaviest first. */
    private static final class Sender {
        private final List<Holder> holders = new ArrayList<>();
        private double weight;
        private int next;

        void add(Holder holder) {
            holders.add(holder);
            weight += holder.weight();
        }

        double weight() {
            return weight;
        }

        Holder takeHeaviest() {
            Holder heaviest = holders.get(next++);
            weight = next == holders.size() ? 0 : weight - heaviest.weight();
            return heaviest;
        }

        boolean isEmpty() {
            return next == holders.size();
        }
    }

    /** A connection, and its bytes times the time for which it holds them. */
    private record Holder(StreamConnection connection, long bytes, double weight) {}

    /** Selects the connections that give way; none if all of them together hold less than the limit. */
    private List<StreamConnection> excess(Iterable<StreamConnection> all, long nowNs) {
        Map<Network, Sender> senders = new HashMap<>();
        long held = 0;
        for (StreamConnection connection : all) {
            long bytes = connection.heldBytes();
            held += bytes;
            if (bytes >= MIN_HELD_BYTES) {
                double weight = (double) bytes * Math.max(MIN_AGE_NS, nowNs - connection.unfinishedNs());
                senders.computeIfAbsent(
                                Network.ofSource(connection.address(), IPV4_NETWORK_BITS), unused -> new Sender())
                        .add(new Holder(connection, bytes, weight));
            }
        }
        List<StreamConnection> excess = new ArrayList<>();
        if (held <= limitBytes) {
            return excess;
        }
        PriorityQueue<Sender> heaviest =
                new PriorityQueue<>(Comparator.comparingDouble(Sender::weight).reversed());
        for (Sender sender : senders.values()) {
            sender.holders.sort(Comparator.comparingDouble(Holder::weight).reversed());
            heaviest.add(sender);
        }
        while (held > limitBytes - limitBytes / 8 && !heaviest.isEmpty()) {
            Sender sender = heaviest.remove();
            Holder holder = sender.takeHeaviest();
            held -= holder.bytes();
            excess.add(holder.connection());
            if (!sender.isEmpty()) {
                heaviest.add(sender);
            }
        }
        return excess;
    }
}
