package io.millrace.internal.transport;

import io.millrace.collector.Steering;

/**
 * Settings of the sockets of datagram inputs.
 *
 * @param receiveBufferBytes the receive buffer to request for each socket
 * @param maxDatagramBytes payload bytes to keep of a datagram; a longer one is truncated
 * @param gro let the kernel coalesce datagrams into GRO batches, where the transport can split them
 * @param steering how the kernel selects one of several receivers
 * @param packetTimestamps give each datagram its own receive time, where the transport can
 * @param busyPoll poll the sockets continuously and never sleep
 */
public record SocketSettings(
        int receiveBufferBytes,
        int maxDatagramBytes,
        boolean gro,
        Steering steering,
        boolean packetTimestamps,
        boolean busyPoll) {}
