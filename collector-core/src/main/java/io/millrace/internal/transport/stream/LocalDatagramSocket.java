package io.millrace.internal.transport.stream;

import io.millrace.collector.StreamSettings;
import io.millrace.internal.linux.LocalDatagrams;
import io.millrace.internal.linux.SocketOptions;
import io.millrace.internal.transport.EpollDatagramSocket;
import io.millrace.transport.DatagramReader;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Unix datagram socket. The kernel drops nothing there: a sender blocks, or gets EAGAIN. */
final class LocalDatagramSocket extends EpollDatagramSocket {
    private static final Logger LOG = LoggerFactory.getLogger(LocalDatagramSocket.class);

    private final SocketFile file;

    private LocalDatagramSocket(LinuxSocket socket, SocketFile file, DatagramReader reader) {
        super(socket, reader);
        this.file = file;
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
                    socket,
                    file,
                    new LocalDatagramReader(socket.intValue(), input, settings.get(StreamSettings.MAX_MESSAGE)));
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public long drops() {
        return 0;
    }

    /** Senders get an error from now on; what waits can be read. */
    @Override
    public boolean refuseAll() {
        try {
            socket.shutdown(true, false);
            return true;
        } catch (IOException | ChannelException e) {
            LOG.debug("A Unix datagram socket accepts what still arrives", e);
            return false;
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        throw new UnsupportedOperationException("a Unix socket has a path");
    }

    @Override
    public void close() throws IOException {
        super.close();
        file.remove();
    }
}
