package io.millrace.collector;

import org.jspecify.annotations.Nullable;

/** The counters of one UDP socket, which is an input in a shard, since the start of the process. Any thread. */
public interface SocketCounters {
    /** The name of the input. */
    String input();

    /** The shard. */
    int shard();

    /** The receive buffer that the kernel granted, in bytes. */
    long bufferBytes();

    /** Datagrams read from the socket. */
    long received();

    /** Stored payload bytes of the received datagrams. */
    long bytes();

    /** Datagrams truncated to {@code maxDatagram}. */
    long truncated();

    /** Failed receive calls. */
    long errors();

    /** Datagrams that were dropped here, including those after the stop; at most one second old. */
    long dropped();

    /** The used part of the receive buffer, in bytes; null if unavailable. */
    @Nullable
    Long queuedBytes();
}
