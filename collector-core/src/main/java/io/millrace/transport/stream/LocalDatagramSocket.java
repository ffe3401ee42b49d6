package io.millrace.transport.stream;

import io.millrace.linux.LocalDatagrams;
import io.millrace.linux.SocketOptions;
import io.millrace.transport.DatagramReader;
import io.millrace.transport.ReceiveSocket;
import io.millrace.transport.Steering;
import io.netty.channel.ChannelException;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Unix datagram socket. The kernel drops nothing there: a sender waits, or is told that it would have to. */
final class LocalDatagramSocket implements ReceiveSocket, EpollIoHandle {
    private static final Logger LOG = LoggerFactory.getLogger(LocalDatagramSocket.class);

    private final LinuxSocket socket;
    private final SocketFile file;
    private final DatagramReader reader;
    private Runnable onReadable = () -> {};

    private LocalDatagramSocket(LinuxSocket socket, SocketFile file, DatagramReader reader) {
        this.socket = socket;
        this.file = file;
        this.reader = reader;
    }

    /**
     * Binds.
     *
     * @param input id of the input in the journal
     * @throws IOException if it cannot be bound; the message says what to do
     */
    static LocalDatagramSocket bind(Path path, int input, StreamSettings settings) throws IOException {
        @Nullable String problem = LocalDatagrams.unavailableBecause();
        if (problem != null) {
            throw new IOException("cannot listen on " + path + ": there is no recvmmsg here: " + problem);
        }
        SocketFile.prepare(path);
        LinuxSocket socket = LinuxSocket.newSocketDomainDgram();
        try {
            // Before the bind: what is sent then has credentials from the first datagram on.
            socket.setIntOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_PASSCRED, 1);
            socket.bind(new DomainSocketAddress(path.toFile()));
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw new IOException("cannot listen on " + path + ": " + e.getMessage(), e);
        }
        try {
            SocketFile file = SocketFile.bound(path, settings);
            return new LocalDatagramSocket(
                    socket, file, new LocalDatagramReader(socket.intValue(), input, settings.maxMessageBytes()));
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public DatagramReader reader() {
        return reader;
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public long drops() {
        return 0;
    }

    @Override
    public long accountedDrops() {
        return 0;
    }

    @Override
    public long cookie() {
        return UNAVAILABLE;
    }

    @Override
    public int descriptor() {
        return UNAVAILABLE;
    }

    @Override
    public boolean isKept() {
        return false;
    }

    @Override
    public long queuedBytes() {
        return UNAVAILABLE;
    }

    /** Senders get an error from now on; what waits can be read. */
    @Override
    public boolean refuseAll() {
        try {
            socket.shutdown(true, false);
            return true;
        } catch (IOException | ChannelException e) {
            LOG.debug("A Unix datagram socket takes what still arrives", e);
            return false;
        }
    }

    @Override
    public void steer(Steering steering, int receivers) {
        throw new UnsupportedOperationException("a Unix socket is in one shard");
    }

    @Override
    public int grantedReceiveBuffer() {
        try {
            return socket.getReceiveBufferSize() / 2;
        } catch (IOException | ChannelException e) {
            return 0;
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        throw new UnsupportedOperationException("a Unix socket has a path");
    }

    @Override
    public IoHandle handle(Runnable whenReadable) {
        onReadable = whenReadable;
        return this;
    }

    @Override
    public IoOps readOps() {
        return EpollIoOps.EPOLLIN;
    }

    @Override
    public IoOps pauseOps() {
        // As in the sockets of UDP.
        return EpollIoOps.EPOLLERR;
    }

    @Override
    public FileDescriptor fd() {
        return socket;
    }

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
        onReadable.run();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        file.remove();
    }
}
