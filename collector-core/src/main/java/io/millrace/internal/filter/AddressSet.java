package io.millrace.internal.filter;

import io.millrace.collector.Network;
import io.millrace.collector.NetworkSet;
import io.millrace.internal.format.JournalRecord;
import io.millrace.journal.DatagramView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A set of networks. A few are compared one by one; with many, a search decides. Immutable. */
final class AddressSet {
    private static final int MAX_COMPARED = 4;

    private final Network[] few;
    private final @Nullable NetworkSet many;

    private AddressSet(Network[] few, @Nullable NetworkSet many) {
        this.few = few;
        this.many = many;
    }

    static AddressSet of(List<Network> networks) {
        return networks.size() <= MAX_COMPARED
                ? new AddressSet(networks.toArray(Network[]::new), null)
                : new AddressSet(new Network[0], NetworkSet.of(networks, List.of()));
    }

    /** True if the source of the record's datagram is in one of the networks. */
    boolean contains(JournalRecord record) {
        DatagramView datagram = record.datagram();
        if (datagram == null || datagram.isLocal()) {
            return false;
        }
        if (many != null) {
            return datagram.isIpv6()
                    ? many.allows(true, datagram.sourceHigh(), datagram.sourceLow())
                    : many.allows(false, (long) datagram.sourceIpv4() << 32, 0);
        }
        for (Network network : few) {
            if (network.contains(datagram)) {
                return true;
            }
        }
        return false;
    }
}
