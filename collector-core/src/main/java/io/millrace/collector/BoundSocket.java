package io.millrace.collector;

import io.millrace.internal.linux.LibC;
import io.millrace.internal.linux.SocketOptions;
import io.millrace.internal.record.IpText;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A UDP socket that was already bound, by systemd or by another process of Millrace. Transports {@code native} and {@code
 * epoll} only. Any thread.
 *
 * @param descriptor its file descriptor in this process
 * @param kept true if another process keeps it open when this one ends, as systemd does. The stop then leaves its queued
 *     datagrams for the next process
 */
public record BoundSocket(int descriptor, boolean kept) {
    private static final int SOCK_DGRAM = 2;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;

    /**
     * Returns the address it is bound to.
     *
     * @throws IOException if the descriptor is not a bound UDP socket; the message says what it is
     */
    public InetSocketAddress address() throws IOException {
        String kind = kind();
        if (!kind.startsWith("socket:")) {
            throw new IOException("descriptor " + descriptor + " is not a socket, but " + kind);
        }
        try {
            Socket socket = new Socket(descriptor);
            int domain = socket.getIntOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_DOMAIN);
            int type = socket.getIntOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_TYPE);
            if (type != SOCK_DGRAM || (domain != AF_INET && domain != AF_INET6)) {
                throw new IOException("descriptor " + descriptor + " is a socket, but not a UDP socket (in a unit"
                        + " of systemd: ListenDatagram=ADDRESS:PORT)");
            }
            @Nullable InetSocketAddress address = socket.localAddress();
            if (address == null || address.getPort() == 0) {
                throw new IOException("descriptor " + descriptor + " is a UDP socket that is not bound");
            }
            return address;
        } catch (ChannelException e) {
            throw new IOException("descriptor " + descriptor + ": cannot read the socket type: " + e.getMessage(), e);
        }
    }

    /**
     * Duplicates it in this process. The caller must close the duplicate, or the collector that adopts it.
     *
     * @throws IOException if it cannot be duplicated
     */
    public BoundSocket duplicate() throws IOException {
        return new BoundSocket(LibC.duplicate(descriptor), kept);
    }

    private String kind() throws IOException {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
        } catch (IOException e) {
            throw new IOException("descriptor " + descriptor + " is not open", e);
        }
    }

    /** Returns the descriptor and its address, for messages. */
    public static String text(BoundSocket bound) {
        try {
            return "descriptor " + bound.descriptor() + " (udp " + IpText.of(bound.address()) + ")";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
