package io.millrace.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.TestSeed;
import io.millrace.collector.Network;
import io.millrace.collector.NetworkSet;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkSetTest {
    @ParameterizedTest(name = "allow {0}, deny {1}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // Without an allow list, all other addresses are allowed.
                "-                       | -                        | 192.0.2.1 2001:db8::1       | -",
                "-                       | 192.0.2.0/24             | 192.0.3.0 2001:db8::1       | 192.0.2.0 192.0.2.255",
                // With an allow list, all other addresses are denied, in both families.
                "10.0.0.0/8              | -                        | 10.0.0.0 10.255.255.255     | 9.255.255.255 11.0.0.0 ::1",
                "2001:db8::/32           | -                        | 2001:db8::1                 | 10.0.0.1 2001:db9::1",
                // A denied network within an allowed one.
                "10.0.0.0/8              | 10.6.0.0/16              | 10.7.0.0 10.5.255.255       | 10.6.6.6 192.0.2.1",
                // An allowed network within a denied one: all other addresses stay allowed.
                "10.6.6.0/24             | 10.0.0.0/8               | 10.6.6.1 192.0.2.1 ::1      | 10.6.5.255 10.6.7.0",
                // Both: the longest match decides.
                "10.0.0.0/8 10.6.6.6     | 10.6.0.0/16              | 10.6.6.6 10.1.1.1           | 10.6.6.7 192.0.2.1",
                // The allowed network is not within a denied one, so all other addresses are denied.
                "192.0.2.0/24            | 192.0.2.66 198.51.100.1  | 192.0.2.1                   | 192.0.2.66 198.51.100.2 8.8.8.8",
                // The denied network has the same first address as the allowed one, but does not contain it.
                "10.0.0.0/8              | 10.0.0.0/16              | 10.1.0.0                    | 10.0.0.0 11.0.0.0",
                // All other addresses are allowed explicitly.
                "10.0.0.0/8 0.0.0.0/0 ::/0 | 10.6.0.0/16            | 10.1.1.1 8.8.8.8 ::1        | 10.6.6.6",
                "10.6.6.6                | 0.0.0.0/0                | 10.6.6.6 ::1                | 10.6.6.7",
                "::ffff:10.0.0.0/104     | -                        | 10.1.1.1                    | 11.1.1.1",
                "255.255.255.255         | 255.255.255.0/24         | 255.255.255.255 254.0.0.1   | 255.255.255.254",
                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff | -        | ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff | ::",
            })
    void longestMatchingNetworkDecides(String allow, String deny, String passing, String refused) {
        NetworkSet set = NetworkSet.of(networks(allow), networks(deny));
        assertThat(networks(passing)).allMatch(it -> set.allows(it.ipv6(), it.high(), it.low()));
        assertThat(networks(refused)).noneMatch(it -> set.allows(it.ipv6(), it.high(), it.low()));
    }

    private static List<Network> networks(String text) {
        return text == null
                ? List.of()
                : Arrays.stream(text.strip().split("\\s+")).map(Network::parse).toList();
    }

    @Test
    void networkInBothListsIsRejected() {
        List<Network> one = networks("10.0.0.0/8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NetworkSet.of(one, one))
                .withMessage("allow and deny accept a network once, not 10.0.0.0/8 in both");
    }

    /** Few bits differ, so that networks of all lengths contain each other or are adjacent. */
    @Test
    void randomSetsMatchALinearSearch() {
        Random random = TestSeed.random(NetworkSetTest.class);
        for (int round = 0; round < 300; round++) {
            boolean ipv6 = random.nextBoolean();
            int size = random.nextInt(round % 10 == 0 ? 2000 : 40);
            Set<Network> allowed = new LinkedHashSet<>();
            Set<Network> denied = new LinkedHashSet<>();
            for (int i = 0; i < size; i++) {
                Network network = network(random, ipv6);
                if (random.nextBoolean()) {
                    allowed.add(network);
                    denied.remove(network);
                } else {
                    denied.add(network);
                    allowed.remove(network);
                }
            }
            NetworkSet set = NetworkSet.of(List.copyOf(allowed), List.copyOf(denied));
            boolean others = allowed.stream().allMatch(it -> denied.stream().anyMatch(outer -> outer.contains(it)));
            assertThat(set.othersAllowed()).isEqualTo(others);
            for (int i = 0; i < 300; i++) {
                Network address = probe(random, ipv6, i % 2 == 0 ? allowed : denied);
                Network longest = longest(address, allowed, denied);
                boolean expected = longest == null ? others : allowed.contains(longest);
                assertThat(set.allows(ipv6, address.high(), address.low()))
                        .as("%s in %s but not in %s", address, allowed, denied)
                        .isEqualTo(expected);
            }
        }
    }

    private static Network network(Random random, boolean ipv6) {
        int bits = random.nextInt(ipv6 ? 129 : 33);
        long high = sparse(random) & (ipv6 ? -1 : -1L << 32) & Network.maskHigh(bits);
        long low = ipv6 ? sparse(random) & Network.maskLow(bits) : 0;
        return new Network(ipv6, high, low, bits);
    }

    private static long sparse(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> 1L << random.nextInt(64);
            case 2 -> -1L << random.nextInt(64);
            default -> random.nextLong() & 0xff00_0000_ff00_0000L;
        };
    }

    /** The first or last address of a network, an adjacent one, or a random one. */
    private static Network probe(Random random, boolean ipv6, Set<Network> networks) {
        long high = random.nextLong();
        long low = random.nextLong();
        if (!networks.isEmpty()) {
            Network network = List.copyOf(networks).get(random.nextInt(networks.size()));
            boolean last = random.nextBoolean();
            high = last ? network.high() | ~Network.maskHigh(network.bits()) : network.high();
            low = last ? network.low() | ~Network.maskLow(network.bits()) : network.low();
            if (random.nextBoolean()) {
                low += last ? 1 : -1;
                high += ipv6 ? (last && low == 0 ? 1 : !last && low == -1 ? -1 : 0) : (last ? 1L << 32 : -1L << 32);
            }
        }
        return ipv6 ? new Network(true, high, low, 128) : new Network(false, high & -1L << 32, 0, 32);
    }

    private static Network longest(Network address, Set<Network> allowed, Set<Network> denied) {
        Network longest = null;
        for (Set<Network> networks : List.of(allowed, denied)) {
            for (Network network : networks) {
                if (network.contains(address) && (longest == null || network.bits() > longest.bits())) {
                    longest = network;
                }
            }
        }
        return longest;
    }
}
