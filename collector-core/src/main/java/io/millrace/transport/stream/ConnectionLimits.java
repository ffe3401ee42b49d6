package io.millrace.transport.stream;

import io.millrace.record.Network;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** How many connections an input has, over all receivers, and how many of them each source: an IPv4 address or a /64 of IPv6. Any thread. */
final class ConnectionLimits {
    /** What becomes of a connection. */
    enum Verdict {
        TAKEN,
        NO_DESCRIPTORS,
        TOO_MANY,
        TOO_MANY_OF_SOURCE
    }

    private final ConnectionBudget budget;
    private final int max;
    private final int maxPerSource;
    private final AtomicInteger all = new AtomicInteger();
    private final ConcurrentMap<Network, Integer> bySource = new ConcurrentHashMap<>();

    ConnectionLimits(StreamInput input, ConnectionBudget budget) {
        this.budget = budget;
        this.max = input.settings().maxConnections();
        // All processes of this host are one source.
        boolean local = input.endpoint().transport().isLocal();
        this.maxPerSource = local ? max : input.settings().maxConnectionsPerSource();
    }

    /** Takes a place, which {@link #release} frees. */
    Verdict take(InetAddress source) {
        if (!budget.take()) {
            return Verdict.NO_DESCRIPTORS;
        }
        if (all.incrementAndGet() > max) {
            all.decrementAndGet();
            budget.release();
            return Verdict.TOO_MANY;
        }
        if (bySource.merge(network(source), 1, Integer::sum) > maxPerSource) {
            release(source);
            return Verdict.TOO_MANY_OF_SOURCE;
        }
        return Verdict.TAKEN;
    }

    /** Takes a place for a connection that is open already, however many there are. */
    void adopt(InetAddress source) {
        budget.adopt();
        all.incrementAndGet();
        bySource.merge(network(source), 1, Integer::sum);
    }

    void release(InetAddress source) {
        budget.release();
        all.decrementAndGet();
        bySource.computeIfPresent(network(source), (network, count) -> count == 1 ? null : count - 1);
    }

    /** A host may have many addresses of IPv6. */
    private static Network network(InetAddress source) {
        return Network.ofSource(source, Integer.SIZE);
    }
}
