package io.millrace.internal.transport;

import io.millrace.collector.Steering;
import io.millrace.transport.DatagramReader;
import io.netty.channel.IoHandle;
import io.netty.channel.IoOps;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * A bound datagram socket, with all system calls that a receiver makes. After its registration, only the thread of its event
 * loop uses it.
 */
public interface ReceiveSocket {
    /** The value of {@link #drops()} and others if the kernel does not report it. */
    int UNAVAILABLE = -1;

    /** The reader of its datagrams. */
    DatagramReader reader();

    /** The number of datagrams that the kernel dropped at this socket so far, modulo 2^32, or {@link #UNAVAILABLE}. */
    long drops();

    /** The part of {@link #drops()} that an earlier process accounted. */
    default long accountedDrops() {
        return 0;
    }

    /** The kernel's number of this socket, the same in all processes, or {@link #UNAVAILABLE}. */
    default long cookie() {
        return UNAVAILABLE;
    }

    /** Its file descriptor, to pass it to another process, or {@link #UNAVAILABLE}. */
    default int descriptor() {
        return UNAVAILABLE;
    }

    /** True if another process keeps it open. The stop leaves it open, with its queued datagrams. */
    default boolean isKept() {
        return false;
    }

    /** True if its datagrams come from processes of this host. No policy applies, and it is not passed to another process. */
    default boolean isLocal() {
        return false;
    }

    /** The used part of the receive buffer, in bytes as the kernel counts them, or {@link #UNAVAILABLE}. */
    default long queuedBytes() {
        return UNAVAILABLE;
    }

    /**
     * Makes the kernel refuse all datagrams that arrive from now on, and count them as drops.
     *
     * @return false if this kind of socket cannot do that
     */
    default boolean refuseAll() {
        return false;
    }

    /**
     * Sets how the kernel distributes datagrams among the sockets of this one's port. All of them must be bound.
     *
     * @param receivers the number of these sockets
     * @throws IOException if the kernel refuses, or this kind of socket cannot do that
     */
    default void steer(Steering steering, int receivers) throws IOException {
        throw new IOException("this kind of socket cannot attach a program that selects a receiver");
    }

    /** The receive buffer that the kernel granted, in bytes. */
    int grantedReceiveBuffer();

    /** The address it is bound to. For port 0, it has the port that the kernel chose. */
    InetSocketAddress localAddress();

    /**
     * The handle to register with an event loop of the transport.
     *
     * @param onReadable called on the loop's thread when the socket can be read
     */
    IoHandle handle(Runnable onReadable);

    /** The operation that enables events when the socket is readable, until {@link #pauseOps()} is submitted. */
    IoOps readOps();

    /** The operation that disables these events. */
    IoOps pauseOps();

    /** Closes it. Datagrams in its buffer are lost uncounted: drain it first. */
    void close() throws IOException;
}
