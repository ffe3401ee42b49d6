package io.millrace.sender.transmit;

import io.millrace.sender.value.Text;
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
 * Transmitter with a connected socket of Netty's native transport per source. {@code write(2)} directly from the buffer
 * costs less per datagram than Java's channels, and only these sockets support {@code UDP_SEGMENT}.
 */
final class EpollTransmitter implements Transmitter {
    private static final int SOL_UDP = 17;
    private static final int UDP_SEGMENT = 103;

    /** Retries with a full send buffer, for about a second, before it counts as an error. */
    private static final int MAX_FULL_RETRIES = 20_000;

    private static final long FULL_PARK_NANOS = 5_000;

    /** Sockets, or /dev/null for the warm-up. */
    private final FileDescriptor[] sockets;

    private EpollTransmitter(FileDescriptor[] sockets) {
        this.sockets = sockets;
    }

    /**
     * Opens all sources, or none.
     *
     * @param segment if not 0, the kernel splits batches into datagrams of this size
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

    /** For the warm-up: all sources write to /dev/null. */
    static EpollTransmitter toDevNull(int sources) throws IOException {
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
                    "--batch with UDP needs a kernel with UDP_SEGMENT (Linux 4.18 or later): " + e.getMessage(), e);
        }
    }

    @Override
    public void send(int source, ByteBuffer datagram) throws IOException {
        int from = datagram.position();
        int to = datagram.limit();
        write(sockets[source], Buffer.memoryAddress(datagram), from, to, MAX_FULL_RETRIES);
    }

    /**
     * Writes a datagram.
     *
     * @param retries how often to try again, each time after a pause, while there is no room
     */
    static void write(FileDescriptor socket, long address, int from, int to, int retries) throws IOException {
        int written = tryToWrite(socket, address, from, to, retries);
        if (written != to - from) {
            throw new IOException("only " + written + " of " + (to - from) + " bytes were sent");
        }
    }

    private static int tryToWrite(FileDescriptor socket, long address, int from, int to, int retries)
            throws IOException {
        try {
            // write(2) sends no empty datagram, send(2) does.
            if (from == to && socket instanceof Socket empty) {
                return empty.sendAddress(address, from, to);
            }
            int written = socket.writeAddress(address, from, to);
            // The socket is non-blocking: 0 means a full send buffer, unless the datagram is empty.
            for (int tries = 0; written == 0 && to > from; tries++) {
                if (tries == retries) {
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
    public void collectErrors(int thread, int threads, SendCounts counts) {
        for (int i = thread; i < sockets.length; i += threads) {
            try {
                if (sockets[i] instanceof LinuxSocket socket && socket.getSoError() != 0) {
                    counts.countRefused(1);
                }
            } catch (IOException e) {
                counts.countError(e);
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
