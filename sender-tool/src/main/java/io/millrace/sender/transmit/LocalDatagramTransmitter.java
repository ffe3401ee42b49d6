package io.millrace.sender.transmit;

import io.millrace.sender.value.Text;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.Buffer;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transmitter with a connected Unix datagram socket per source, as {@code logger} sends to {@code /dev/log}. While the receiver's queue is
 * full it waits. After the receiver was restarted it connects again.
 */
final class LocalDatagramTransmitter implements Transmitter {
    /** For about a minute: the kernel would block a sender without limit, but a run must end. */
    private static final int MAX_FULL_RETRIES = 1_000_000;

    private final @Nullable LinuxSocket[] sockets;
    private final DomainSocketAddress[] targets;

    private LocalDatagramTransmitter(DomainSocketAddress[] targets) {
        this.targets = targets;
        this.sockets = new LinuxSocket[targets.length];
    }

    /** Connects all sources, or none. */
    static LocalDatagramTransmitter open(int sources, List<SocketAddress> to) throws IOException {
        DomainSocketAddress[] targets = new DomainSocketAddress[sources];
        for (int i = 0; i < sources; i++) {
            targets[i] = new DomainSocketAddress(to.get(i % to.size()).toString());
        }
        LocalDatagramTransmitter transmitter = new LocalDatagramTransmitter(targets);
        for (int i = 0; i < sources; i++) {
            try {
                transmitter.connect(i);
            } catch (IOException e) {
                transmitter.close();
                throw new IOException(
                        Text.format(
                                "cannot connect source %,d of %,d to %s: %s",
                                i + 1, sources, targets[i].path(), reason(e)),
                        e);
            }
        }
        return transmitter;
    }

    /** Netty's exception for a file that does not exist has no message. */
    private static String reason(IOException e) {
        return e instanceof FileNotFoundException ? "no such file" : String.valueOf(e.getMessage());
    }

    private LinuxSocket connect(int source) throws IOException {
        LinuxSocket socket;
        try {
            socket = LinuxSocket.newSocketDomainDgram();
        } catch (ChannelException e) {
            throw new IOException(
                    e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
        }
        try {
            socket.connect(targets[source]);
            sockets[source] = socket;
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public void send(int source, ByteBuffer message) throws IOException {
        LinuxSocket socket = sockets[source];
        if (socket == null) {
            socket = connect(source);
        }
        try {
            EpollTransmitter.write(
                    socket, Buffer.memoryAddress(message), message.position(), message.limit(), MAX_FULL_RETRIES);
        } catch (PortUnreachableException e) {
            sockets[source] = null;
            socket.close();
            throw e;
        }
    }

    @Override
    public void collectErrors(int thread, int threads, SendCounts counts) {
        // A write reports all errors.
    }

    @Override
    public void close() throws IOException {
        for (LinuxSocket socket : sockets) {
            if (socket != null) {
                socket.close();
            }
        }
    }
}
