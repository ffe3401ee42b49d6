package io.millrace.internal.transport;

import io.millrace.transport.DatagramReader;
import io.netty.channel.ChannelException;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;

/** The base class of datagram sockets on an epoll event loop. */
public abstract class EpollDatagramSocket implements ReceiveSocket, EpollIoHandle {
    protected final LinuxSocket socket;

    private final DatagramReader reader;
    private Runnable onReadable = () -> {};

    /** Takes a bound socket and its reader. {@link #close} closes both. */
    protected EpollDatagramSocket(LinuxSocket socket, DatagramReader reader) {
        this.socket = socket;
        this.reader = reader;
    }

    @Override
    public final DatagramReader reader() {
        return reader;
    }

    @Override
    public final int grantedReceiveBuffer() {
        try {
            // The kernel doubles the requested size for its own bookkeeping, and reports the double.
            return socket.getReceiveBufferSize() / 2;
        } catch (IOException | ChannelException e) {
            return 0;
        }
    }

    @Override
    public final IoHandle handle(Runnable whenReadable) {
        onReadable = whenReadable;
        return this;
    }

    @Override
    public final IoOps readOps() {
        return EpollIoOps.EPOLLIN;
    }

    @Override
    public final IoOps pauseOps() {
        // EpollIoOps.NONE would remove the descriptor from the epoll set, and Netty does not add it again.
        return EpollIoOps.EPOLLERR;
    }

    @Override
    public final FileDescriptor fd() {
        return socket;
    }

    @Override
    public final void handle(IoRegistration registration, IoEvent event) {
        onReadable.run();
    }

    @Override
    public void close() throws IOException {
        reader.close();
        socket.close();
    }
}
