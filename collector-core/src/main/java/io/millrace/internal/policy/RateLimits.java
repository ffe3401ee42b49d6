package io.millrace.internal.policy;

import io.millrace.collector.PolicySettings;
import io.millrace.collector.RateLimit;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rate limits of each source, and of each network of sources, with their state. Any thread, several at once. */
final class RateLimits {
    private final @Nullable BucketTable sources;
    private final @Nullable BucketTable networks;
    private final LimitNotices notices;
    private final ArrivalClock clock = new ArrivalClock();

    RateLimits(PolicySettings settings) {
        SecureRandom random = new SecureRandom();
        RateLimit perSource = settings.perSource();
        RateLimit perNetwork = settings.perNetwork();
        this.sources = perSource == null ? null : new BucketTable(perSource, 32, 128, random.nextLong());
        this.networks = perNetwork == null
                ? null
                : new BucketTable(perNetwork, settings.ipv4Bits(), settings.ipv6Bits(), random.nextLong());
        List<BucketTable> tables = new ArrayList<>();
        if (sources != null) {
            tables.add(sources);
        }
        if (networks != null) {
            tables.add(networks);
        }
        this.notices = new LimitNotices(tables);
    }

    /** True if a datagram passes. It is then charged to its source and its network. A refused one is not charged. */
    boolean allows(boolean ipv6, long high, long low, int bytes, long receiveTimeNs) {
        return charges(ipv6, high, low, bytes, receiveTimeNs, true);
    }

    /** The same for a message that waits and is not refused: it causes no notice. */
    boolean charges(boolean ipv6, long high, long low, int bytes, long receiveTimeNs) {
        return charges(ipv6, high, low, bytes, receiveTimeNs, false);
    }

    private boolean charges(boolean ipv6, long high, long low, int bytes, long receiveTimeNs, boolean refuses) {
        long nowNs = clock.time(receiveTimeNs);
        int source = 0;
        if (sources != null) {
            source = sources.entry(ipv6, high, low, nowNs);
            if (!sources.hasRoom(source, bytes, nowNs)) {
                refuse(sources, source, refuses);
                return false;
            }
        }
        if (networks != null) {
            int network = networks.entry(ipv6, high, low, nowNs);
            if (!networks.hasRoom(network, bytes, nowNs)) {
                refuse(networks, network, refuses);
                return false;
            }
            networks.take(network, bytes, nowNs);
        }
        if (sources != null) {
            sources.take(source, bytes, nowNs);
        }
        return true;
    }

    private static void refuse(BucketTable table, int entry, boolean refuses) {
        if (refuses) {
            table.refuse(entry);
        }
    }

    void tick(Consumer<String> log) {
        clock.compare(TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
        notices.tick(log);
    }
}
