package io.millrace.internal.transport.stream;

import io.millrace.collector.Network;
import io.millrace.collector.StreamInput;
import io.millrace.collector.StreamSettings;
import io.millrace.internal.linux.FileLimit;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many connections an input has, over all receivers, and how many of them each source: an IPv4 address or a /64 of IPv6. Any thread. */
final class ConnectionLimits {
    enum Verdict {
        TAKEN,
        NO_DESCRIPTORS,
        TOO_MANY,
        TOO_MANY_OF_SOURCE
    }

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimits.class);

    private final Budget budget;
    private final int max;
    private final int maxPerSource;
    private final AtomicInteger all = new AtomicInteger();
    private final ConcurrentMap<Network, Integer> bySource = new ConcurrentHashMap<>();

    ConnectionLimits(StreamInput input, Budget budget) {
        this.budget = budget;
        this.max = input.settings().get(StreamSettings.MAX_CONNECTIONS);
        // All processes of this host are one source.
        boolean local = input.endpoint().transport().isLocal();
        this.maxPerSource = local
                ? max
                : (int) Math.min(input.settings().get(StreamSettings.MAX_CONNECTIONS_PER_SOURCE), budget.max / 2);
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

    /**
     * How many connections all inputs may have together, so that strangers cannot take the descriptors with which the journal
     * begins its next file, outputs write, and commands are answered. It counts connections instead of descriptors, because they
     * are what strangers can open, and counting them costs nothing. Any thread.
     */
    static final class Budget {
        /** Descriptors that connections do not get: for the JVM, the journal, admin HTTP, and outputs with up to 128 files each. */
        private static final long RESERVE = 1024;

        /** What the service uses without connections, and some. */
        private static final long MIN_RESERVE = 112;

        private final long max;
        private final AtomicInteger open = new AtomicInteger();

        /**
         * Creates the budget.
         *
         * @param fileLimit the limit of open files of this process; half of a small one is for connections
         */
        Budget(long fileLimit) {
            this.max = fileLimit - Math.max(MIN_RESERVE, Math.min(fileLimit / 2, RESERVE));
        }

        /** The budget of this process. Warns if it is less than what the inputs may have. */
        static Budget ofProcess(List<StreamInput> inputs) {
            long limit = FileLimit.ofSelf();
            Budget budget = new Budget(limit);
            long wanted = inputs.stream()
                    .filter(input -> input.endpoint().isStream())
                    .mapToLong(input -> input.settings().get(StreamSettings.MAX_CONNECTIONS))
                    .sum();
            if (wanted > budget.max) {
                LOG.warn(String.format(
                        Locale.ROOT,
                        "The inputs may have %,d connections, but with a limit of %,d open files they get %,d, and more are"
                                + " refused. Set LimitNOFILE=%d in the unit, or ulimit -n %d; or lower maxConnections",
                        wanted,
                        limit,
                        budget.max,
                        wanted + RESERVE,
                        wanted + RESERVE));
            }
            return budget;
        }

        /** Takes a place, which {@link #release} frees; false if there is none. */
        boolean take() {
            if (open.incrementAndGet() <= max) {
                return true;
            }
            open.decrementAndGet();
            return false;
        }

        /** Takes a place for a connection that is open already. */
        void adopt() {
            open.incrementAndGet();
        }

        void release() {
            open.decrementAndGet();
        }
    }
}
