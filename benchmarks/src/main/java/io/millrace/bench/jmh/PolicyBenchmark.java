package io.millrace.bench.jmh;

import io.millrace.collector.Network;
import io.millrace.collector.NetworkSet;
import io.millrace.collector.PolicySettings;
import io.millrace.collector.RateLimit;
import io.millrace.internal.policy.Policy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Benchmark of the policy in ns per datagram; consecutive datagrams have different sources. {@code -prof gc} shows 0 bytes
 * per operation.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar PolicyBenchmark -prof gc}</pre>
 */
public class PolicyBenchmark extends Suite {
    private static final int PROBES = 1 << 14;
    private static final long SEED = 42;
    private static final int PAYLOAD_BYTES = 133;

    /** Allowed and denied networks, and sources, half of them in one of the networks. */
    @State(Scope.Thread)
    public static class Lists {
        /** The number of networks. */
        @Param({"10", "1000", "100000"})
        public int networks;

        /** The address family. */
        @Param({"4", "6"})
        public int family;

        private final long[] sources = new long[PROBES];
        private Policy policy = Policy.NONE;
        private int next;

        /** Networks of 16 to 28 bits in IPv4, of 32 to 56 in 2000::/4 in IPv6. */
        @Setup
        public void fill() {
            Random random = new Random(SEED);
            List<Network> allowed = new ArrayList<>();
            List<Network> denied = new ArrayList<>();
            Set<Network> all = new HashSet<>();
            while (all.size() < networks) {
                int bits = family == 6 ? 32 + random.nextInt(25) : 16 + random.nextInt(13);
                Network network = new Network(family == 6, address(random) & Network.maskHigh(bits), 0, bits);
                if (all.add(network)) {
                    (random.nextBoolean() ? allowed : denied).add(network);
                }
            }
            List<Network> in = List.copyOf(all);
            for (int i = 0; i < PROBES; i++) {
                Network network = in.get(random.nextInt(in.size()));
                long near = network.high() | (address(random) & ~Network.maskHigh(network.bits()));
                sources[i] = random.nextBoolean() ? near : address(random);
            }
            policy = Policy.of(new PolicySettings(NetworkSet.of(allowed, denied), null, null, 24, 64));
        }

        private long address(Random random) {
            return family == 6 ? (random.nextLong() >>> 4) | (2L << 60) : (long) random.nextInt() << 32;
        }

        private Policy.Verdict ask() {
            next = (next + 1) & (PROBES - 1);
            return policy.verdict(family == 6, sources[next], next, PAYLOAD_BYTES, 0);
        }
    }

    /** Rate limits per source that are never reached; a datagram per microsecond. */
    @State(Scope.Thread)
    public static class Rates {
        /** The number of sources, used round robin. */
        @Param({"1", "1000", "1000000"})
        public int sources;

        private final Policy policy =
                Policy.of(new PolicySettings(null, new RateLimit(10_000_000, 1L << 34), null, 24, 64));
        private long nowNs = 1_700_000_000_000_000_000L;
        private int next;

        private Policy.Verdict ask() {
            next = next + 1 == sources ? 0 : next + 1;
            nowNs += 1000;
            // A permutation of the addresses.
            return policy.verdict(false, (next * 0x9e3779b1L) << 32, 0, PAYLOAD_BYTES, nowNs);
        }
    }

    /** Checks the lists. */
    @Benchmark
    public Policy.Verdict lists(Lists lists) {
        return lists.ask();
    }

    /** Checks the rate limit. */
    @Benchmark
    public Policy.Verdict rates(Rates rates) {
        return rates.ask();
    }
}
