package io.millrace.internal.transport;

import java.net.InetSocketAddress;

/**
 * The address an input listens on.
 *
 * @param name the input's name
 * @param id its id in the journal, 0 to 255
 * @param address address and port; port 0 lets the kernel choose
 * @param mergesChunks true if chunks of GELF messages are merged
 */
public record InputAddress(String name, int id, InetSocketAddress address, boolean mergesChunks) {
    /** An input that takes each datagram as it comes. */
    public InputAddress(String name, int id, InetSocketAddress address) {
        this(name, id, address, false);
    }
}
