package io.millrace.sender;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where datagrams go, and where from.
 *
 * @param targets source i sends to target i modulo their number, so that each target sees whole sources
 * @param sources how many sources there are
 * @param net the network each source takes an address of its own from; null for the address the kernel chooses
 */
record Endpoints(
        List<InetSocketAddress> targets,
        int sources,
        @Nullable SourceNet net) {
    static Endpoints of(InetSocketAddress target, int sources) {
        return new Endpoints(List.of(target), sources, null);
    }

    InetSocketAddress target(int source) {
        return targets.get(source % targets.size());
    }

    /** The address and port to bind; null to leave both to the kernel. */
    @Nullable
    InetSocketAddress local(int source) {
        return net == null ? null : new InetSocketAddress(net.address(source), 0);
    }
}
