package io.millrace.transport;

import io.netty.channel.IoHandle;
import io.netty.channel.IoOps;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * One bound datagram socket: every system call a receiver makes, behind one interface. After it is registered, only the
 * thread of its event loop uses it.
 */
public interface ReceiveSocket {
    /** Answer of {@link #drops()} and others when the kernel cannot be asked. */
    int UNAVAILABLE = -1;

    /** What reads its datagrams. */
    DatagramReader reader();

    /** Datagrams the kernel dropped at this socket so far, modulo 2^32, or {@link #UNAVAILABLE}. */
    long drops();

    /** Of what {@link #drops()} says, what is counted already: by another process that had this socket before. */
    long accountedDrops();

    /** The kernel's number for this socket, the same in every process that has it, or {@link #UNAVAILABLE}. */
    long cookie();

    /** Its file descriptor, to be passed to another process, or {@link #UNAVAILABLE}. */
    int descriptor();

    /** True if somebody else keeps it open: at the stop it is left as it is, with what waits in it. */
    boolean isKept();

    /** True if its datagrams come from processes of this host: no policy is about them, and no other process goes on with it. */
    default boolean isLocal() {
        return false;
    }

    /** How much of the receive buffer is taken, in bytes as the kernel counts them, or {@link #UNAVAILABLE}. */
    long queuedBytes();

    /**
     * Makes the kernel refuse, and count as drops, everything that arrives from now on.
     *
     * @return false if this kind of socket has no means to do so
     */
    boolean refuseAll();

    /**
     * Has the kernel choose among the sockets of this one's port, all of them bound: otherwise than by a hash, or by the
     * hash again if somebody had it choose otherwise.
     *
     * @param receivers how many there are
     * @throws IOException if the kernel refuses, or this kind of socket has no means to do so
     */
    void steer(Steering steering, int receivers) throws IOException;

    /** Bytes of receive buffer the kernel granted. */
    int grantedReceiveBuffer();

    /** The address it is bound to, with the port the kernel chose if 0 was asked for. */
    InetSocketAddress localAddress();

    /**
     * The handle to register with an event loop of the transport.
     *
     * @param onReadable called on the loop's thread when the socket can be read
     */
    IoHandle handle(Runnable onReadable);

    /** The operation to submit to be told when the socket can be read, until {@link #pauseOps()} is submitted. */
    IoOps readOps();

    /** The operation to submit not to be told. */
    IoOps pauseOps();

    /** Closes it; what waits in its buffer is lost, and counted by nobody: drain first. */
    void close() throws IOException;
}
