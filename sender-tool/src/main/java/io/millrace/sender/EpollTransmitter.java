package io.millrace.sender;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.Buffer;
import io.netty.channel.unix.Errors.NativeIoException;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A connected socket of Netty's native transport for each source, written to with {@code write(2)} straight from the
 * buffer: less code a datagram than Java's channels have, and the one way to {@code UDP_SEGMENT}.
 */
final class EpollTransmitter implements Transmitter {
    private static final int SOL_UDP = 17;
    private static final int UDP_SEGMENT = 103;

    /** A full send buffer is tried again this often, for about a second, before that counts as an error. */
    private static final int FULL_TRIES = 20_000;

    private static final long FULL_PARK_NANOS = 5_000;

    /** Sockets, or for a run that only exercises the code, /dev/null. */
    private final FileDescriptor[] sockets;

    private EpollTransmitter(FileDescriptor[] sockets) {
        this.sockets = sockets;
    }

    /**
     * Opens all sources, or none.
     *
     * @param segment if not 0, the kernel cuts what is sent into datagrams of this size
     */
    static EpollTransmitter open(Endpoints endpoints, int from, int sources, int segment) throws IOException {
        FileDescriptor[] sockets = new FileDescriptor[sources];
        for (int i = 0; i < sources; i++) {
            InetSocketAddress target = endpoints.target(from + i);
            try {
                LinuxSocket socket = LinuxSocket.newSocketDgram(family(target));
                sockets[i] = socket;
                InetSocketAddress local = endpoints.local(from + i);
                if (local != null) {
                    socket.bind(local);
                }
                socket.connect(target);
                if (segment > 0) {
                    setSegment(socket, segment);
                }
            } catch (IOException | ChannelException e) {
                Throwable cause = e instanceof ChannelException && e.getCause() != null ? e.getCause() : e;
                closeAll(sockets, cause);
                throw new IOException(
                        Text.format(
                                "cannot open socket %,d of %,d to %s: %s",
                                from + i + 1, endpoints.sources(), target, cause.getMessage()),
                        e);
            }
        }
        return new EpollTransmitter(sockets);
    }

    /** Writes to /dev/null for all sources: the same code runs, and nothing is sent. */
    static EpollTransmitter idling(int sources) throws IOException {
        FileDescriptor[] sockets = new FileDescriptor[sources];
        Arrays.fill(sockets, FileDescriptor.from(new File("/dev/null")));
        return new EpollTransmitter(sockets);
    }

    private static SocketProtocolFamily family(InetSocketAddress to) {
        return to.getAddress() instanceof Inet4Address ? SocketProtocolFamily.INET : SocketProtocolFamily.INET6;
    }

    private static void setSegment(LinuxSocket socket, int segment) throws IOException {
        try {
            socket.setIntOpt(SOL_UDP, UDP_SEGMENT, segment);
        } catch (IOException e) {
            throw new IOException(
                    "--gso needs a kernel that cuts datagrams itself (UDP_SEGMENT, Linux 4.18 or later): "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public void send(int source, ByteBuffer datagram) throws IOException {
        int from = datagram.position();
        int to = datagram.limit();
        int written = write(sockets[source], Buffer.memoryAddress(datagram), from, to);
        if (written != to - from) {
            throw new IOException("only " + written + " of " + (to - from) + " bytes were taken");
        }
    }

    private static int write(FileDescriptor socket, long address, int from, int to) throws IOException {
        try {
            // write(2) sends no empty datagram, send(2) does.
            if (from == to && socket instanceof Socket empty) {
                return empty.sendAddress(address, from, to);
            }
            int written = socket.writeAddress(address, from, to);
            // The socket does not block: 0 says that its send buffer is full, unless there was nothing to write.
            for (int tries = 0; written == 0 && to > from; tries++) {
                if (tries == FULL_TRIES) {
                    throw new IOException("Resource temporarily unavailable: the send buffer stayed full");
                }
                LockSupport.parkNanos(FULL_PARK_NANOS);
                written = socket.writeAddress(address, from, to);
            }
            return written;
        } catch (ConnectException e) {
            throw refused();
        } catch (NativeIoException e) {
            if (e.getMessage() != null && e.getMessage().contains("Connection refused")) {
                throw refused();
            }
            throw e;
        }
    }

    private static PortUnreachableException refused() {
        return new PortUnreachableException("Connection refused");
    }

    @Override
    public void finish(int thread, int threads, Tally tally) {
        for (int i = thread; i < sockets.length; i += threads) {
            try {
                if (sockets[i] instanceof LinuxSocket socket && socket.getSoError() != 0) {
                    tally.countRefused(1);
                }
            } catch (IOException e) {
                tally.countError(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        IOException failure = new IOException("cannot close the sockets");
        closeAll(sockets, failure);
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }

    private static void closeAll(@Nullable FileDescriptor[] sockets, Throwable failure) {
        for (FileDescriptor socket : sockets) {
            try {
                if (socket != null && socket.isOpen()) {
                    socket.close();
                }
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }
}
