package io.millrace.internal.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.collector.Network;
import io.millrace.collector.NetworkSet;
import io.millrace.collector.PolicySettings;
import io.millrace.fuzz.FuzzTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Each line is an allowed network, or a denied one after a minus. The set must match a linear search. */
public final class NetworksFuzz extends FuzzTarget {
    /** Created by reflection. */
    public NetworksFuzz() {
        super("networks");
    }

    @Override
    protected void take(byte[] bytes) {
        PolicySettings.Builder settings = PolicySettings.builder();
        List<Network> allowed = new ArrayList<>();
        List<Network> denied = new ArrayList<>();
        new String(bytes, UTF_8).lines().forEach(line -> {
            boolean denies = line.startsWith("-");
            String text = denies ? line.substring(1) : line;
            Network network = read(text);
            check(network, denies ? "deny" : "allow", text, settings);
            if (network != null) {
                (denies ? denied : allowed).add(network);
            }
        });
        try {
            NetworkSet set = settings.build().networks();
            that(allowed.stream().noneMatch(denied::contains), "one network in both lists");
            if (set == null) {
                that(allowed.isEmpty() && denied.isEmpty(), "no set of networks");
            } else {
                compare(set, allowed, denied);
            }
        } catch (IllegalArgumentException e) {
            that(allowed.stream().anyMatch(denied::contains), e.getMessage());
        }
    }

    private static @Nullable Network read(String text) {
        try {
            Network network = Network.parse(text);
            that(Network.parse(network.toString()).equals(network), text + " is written as " + network);
            return network;
        } catch (IllegalArgumentException e) {
            String said = String.valueOf(e.getMessage());
            int right = said.indexOf("the network is ");
            if (right >= 0) {
                var unused = Network.parse(said.substring(right + "the network is ".length()));
            } else {
                that(said.startsWith("expected an address or a network"), said);
            }
            return null;
        }
    }

    private static void check(@Nullable Network network, String list, String text, PolicySettings.Builder settings) {
        try {
            if (list.equals("allow")) {
                settings.allow(text);
            } else {
                settings.deny(text);
            }
            that(network != null, text + " is taken");
        } catch (IllegalArgumentException e) {
            that(network == null && e.getMessage().startsWith(list + " '" + text + "': "), e.getMessage());
        }
    }

    private static void compare(NetworkSet set, List<Network> allowed, List<Network> denied) {
        boolean others = allowed.stream().allMatch(it -> denied.stream().anyMatch(outer -> outer.contains(it)));
        that(set.othersAllowed() == others, "others: " + others + " with " + allowed + " and not " + denied);
        List<Network> all = new ArrayList<>(allowed);
        all.addAll(denied);
        for (Network network : all) {
            boolean v6 = network.ipv6();
            long lastHigh = network.high() | (~Network.maskHigh(network.bits()) & (v6 ? -1 : -1L << 32));
            long lastLow = v6 ? network.low() | ~Network.maskLow(network.bits()) : 0;
            ask(set, allowed, denied, v6, network.high(), network.low());
            ask(set, allowed, denied, v6, lastHigh, lastLow);
            if (v6) {
                ask(
                        set,
                        allowed,
                        denied,
                        true,
                        network.low() == 0 ? network.high() - 1 : network.high(),
                        network.low() - 1);
                ask(set, allowed, denied, true, lastLow == -1 ? lastHigh + 1 : lastHigh, lastLow + 1);
            } else {
                ask(set, allowed, denied, false, network.high() - (1L << 32), 0);
                ask(set, allowed, denied, false, lastHigh + (1L << 32), 0);
            }
        }
    }

    private static void ask(
            NetworkSet set, List<Network> allowed, List<Network> denied, boolean ipv6, long high, long low) {
        Network address = new Network(ipv6, high, low, ipv6 ? 128 : 32);
        int in = longest(address, allowed);
        int notIn = longest(address, denied);
        boolean expected = in == notIn ? set.othersAllowed() : in > notIn;
        that(set.allows(ipv6, high, low) == expected, address + " in " + allowed + " and not in " + denied);
    }

    /** Bits of the longest network that an address is in; -1 if it is in none. */
    private static int longest(Network address, List<Network> networks) {
        return networks.stream()
                .filter(it -> it.contains(address))
                .mapToInt(Network::bits)
                .max()
                .orElse(-1);
    }

    @Override
    protected List<byte[]> seeds() {
        return List.of(
                "10.0.0.0/8\n-10.6.0.0/16\n10.6.6.6".getBytes(UTF_8),
                "2001:db8::/32\n-2001:db8:0:0:8000::/65\n-::1\n0.0.0.0/0\n::/0".getBytes(UTF_8),
                "-0.0.0.0/0\n::ffff:10.0.0.0/104\n255.255.255.255\n-255.255.255.0/24".getBytes(UTF_8),
                "10.1.2.3/8\nexample.com\n256.0.0.1\nfe80::1%eth0\n1:2:3:4:5:6:7:8:9".getBytes(UTF_8),
                "192.0.2.0/24\n-192.0.2.0/24".getBytes(UTF_8),
                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff\n-ffff:ffff:ffff:ffff::/64".getBytes(UTF_8));
    }
}
