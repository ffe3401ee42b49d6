package io.millrace.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A provider of datagram readers from another module, found by {@link java.util.ServiceLoader}. It becomes a transport of its
 * name. Sockets and event loop are those of {@code epoll}; only the receive call differs. Any thread.
 */
public interface DatagramReaderProvider {
    /** The name of the transport. */
    String name();

    /** The reason why it does not work on this host, for people; null if it works. */
    @Nullable
    String unavailableBecause();

    /** True if {@code auto} prefers it to {@code epoll} where it works. Otherwise it is selected only by its name. */
    default boolean isForAuto() {
        return false;
    }

    /**
     * True if receive times are the kernel's. With {@code packetTimestamps}, they give the order of datagrams of different
     * receivers.
     */
    default boolean tellsTime() {
        return false;
    }

    /** True if it can read GRO batches ({@code UDP_GRO}) and split them into datagrams. */
    default boolean canSplit() {
        return false;
    }

    /**
     * Opens a reader.
     *
     * @param descriptor a non-blocking UDP socket, before it is bound
     * @param maxDatagramBytes the longest payload to keep
     * @param gro read GRO batches ({@code UDP_GRO}) and split them; only if {@link #canSplit()}
     * @param packetTimestamps give each datagram its own receive time, if {@link #tellsTime()}. Otherwise the datagrams of one
     *     call may have a batch timestamp, which is the time of the last of them
     * @throws IOException if the kernel refuses a socket option that the reader needs, or there is no memory
     */
    DatagramReader open(int descriptor, int maxDatagramBytes, boolean gro, boolean packetTimestamps) throws IOException;
}
