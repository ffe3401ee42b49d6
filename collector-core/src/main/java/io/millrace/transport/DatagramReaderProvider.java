package io.millrace.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A way to read datagrams that a module of its own brings along, found by {@link java.util.ServiceLoader}. It becomes a
 * transport of its name: sockets and event loop are those of {@code epoll}, only the receive call is another. Any
 * thread.
 */
public interface DatagramReaderProvider {
    /** Name of the transport. */
    String name();

    /** Why it does not work on this machine, in words for a person; null if it works. */
    @Nullable
    String unavailableBecause();

    /** True if {@code auto} takes it wherever it works, before {@code epoll}; otherwise it is asked for by its name alone. */
    default boolean isForAuto() {
        return false;
    }

    /**
     * True if receive times are the kernel's. If {@code open} is asked for the time of each, they tell the order of datagrams
     * that different receivers got.
     */
    default boolean tellsTime() {
        return false;
    }

    /** True if it can take GRO batches in one piece ({@code UDP_GRO}) and cut them up. */
    default boolean canSplit() {
        return false;
    }

    /**
     * Makes a reader.
     *
     * @param descriptor a non-blocking UDP socket, before it is bound
     * @param maxDatagramBytes the longest payload to keep
     * @param gro take GRO batches in one piece ({@code UDP_GRO}), and cut them up; only if {@link #canSplit()}
     * @param packetTimestamps give each datagram its own receive time, if {@link #tellsTime()}; else those that one call brought
     *     may have the time of the last of them
     * @throws IOException if the kernel refuses what the reader needs, or there is no memory
     */
    DatagramReader open(int descriptor, int maxDatagramBytes, boolean gro, boolean packetTimestamps) throws IOException;
}
