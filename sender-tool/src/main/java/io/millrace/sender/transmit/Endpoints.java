package io.millrace.sender.transmit;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The targets and the local addresses of the sources.
 *
 * @param targets source i sends to target i modulo their number
 * @param sources the number of sources
 * @param network the network of the source addresses; null to let the kernel choose
 */
public record Endpoints(
        List<InetSocketAddress> targets,
        int sources,
        @Nullable SourceNetwork network) {
    InetSocketAddress target(int source) {
        return targets.get(source % targets.size());
    }

    /** The local address of a source; null to let the kernel choose. */
    @Nullable
    InetSocketAddress local(int source) {
        return network == null ? null : new InetSocketAddress(network.address(source), 0);
    }
}
