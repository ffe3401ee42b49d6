package io.millrace.collector;

import io.millrace.internal.policy.AddressRanges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A set of allowed and denied networks. The longest network that contains an address decides. Immutable; any thread.
 *
 * <p>An address in no network is denied if an allowed network is outside of all denied ones, in either family. Otherwise it is
 * allowed: an allowed network inside of a denied one is only an exception. {@code 0.0.0.0/0} and {@code ::/0} decide about all
 * other addresses explicitly.
 */
public final class NetworkSet {
    private final boolean othersAllowed;
    private final AddressRanges ipv4;
    private final AddressRanges ipv6;

    private NetworkSet(boolean othersAllowed, List<AddressRanges.Entry> ofIpv4, List<AddressRanges.Entry> ofIpv6) {
        this.othersAllowed = othersAllowed;
        this.ipv4 = AddressRanges.of(ofIpv4, othersAllowed);
        this.ipv6 = AddressRanges.of(ofIpv6, othersAllowed);
    }

    /**
     * Creates a set.
     *
     * @throws IllegalArgumentException if a network is both allowed and denied
     */
    public static NetworkSet of(List<Network> allowed, List<Network> denied) {
        Map<Network, Boolean> verdicts = new HashMap<>();
        denied.forEach(network -> verdicts.put(network, false));
        for (Network network : allowed) {
            if (Boolean.FALSE.equals(verdicts.put(network, true))) {
                throw new IllegalArgumentException("allow and deny accept a network once, not " + network + " in both");
            }
        }
        List<AddressRanges.Entry> ofIpv4 = sorted(verdicts, false);
        List<AddressRanges.Entry> ofIpv6 = sorted(verdicts, true);
        return new NetworkSet(areExceptions(ofIpv4) && areExceptions(ofIpv6), ofIpv4, ofIpv6);
    }

    private static List<AddressRanges.Entry> sorted(Map<Network, Boolean> verdicts, boolean ipv6) {
        List<AddressRanges.Entry> entries = new ArrayList<>();
        verdicts.forEach((network, isAllowed) -> {
            if (network.ipv6() == ipv6) {
                entries.add(new AddressRanges.Entry(network, isAllowed));
            }
        });
        entries.sort(AddressRanges.OUTER_FIRST);
        return entries;
    }

    /** True if each allowed network is inside of a denied one. */
    private static boolean areExceptions(List<AddressRanges.Entry> sorted) {
        Network denied = null;
        for (AddressRanges.Entry entry : sorted) {
            boolean inDenied = denied != null && denied.contains(entry.network());
            if (entry.allowed() && !inDenied) {
                return false;
            }
            denied = inDenied ? denied : entry.network();
        }
        return true;
    }

    /** True if addresses in none of the networks are allowed. */
    public boolean othersAllowed() {
        return othersAllowed;
    }

    /** True if an address, as a network of one, may send. */
    public boolean allows(Network address) {
        return allows(address.ipv6(), address.high(), address.low());
    }

    /**
     * True if an address may send.
     *
     * @param isIpv6 its family; an IPv4-mapped address must be given as IPv4, as in frames
     * @param high its first 64 bits as a number; for IPv4 the address and 32 zero bits
     * @param low its last 64 bits; 0 for IPv4
     */
    public boolean allows(boolean isIpv6, long high, long low) {
        return (isIpv6 ? ipv6 : ipv4).allows(high, low);
    }
}
