package io.millrace.transport;

import java.net.InetSocketAddress;

/**
 * The address an input listens on.
 *
 * @param name the input's name
 * @param id its id in the journal, 0 to 255
 * @param address address and port; port 0 lets the kernel choose
 */
public record InputAddress(String name, int id, InetSocketAddress address) {}
