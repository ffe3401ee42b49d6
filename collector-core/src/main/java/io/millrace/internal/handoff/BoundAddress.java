package io.millrace.internal.handoff;

import io.millrace.internal.linux.SocketOptions;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The address of a descriptor that somebody else has bound. */
public final class BoundAddress {
    private static final int SOCK_DGRAM = 2;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;

    private BoundAddress() {}

    /**
     * Returns the address of a bound UDP socket.
     *
     * @throws IOException if the descriptor is none; the message says what it is
     */
    public static InetSocketAddress of(int descriptor) throws IOException {
        String kind = kind(descriptor);
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

    private static String kind(int descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
        } catch (IOException e) {
            throw new IOException("descriptor " + descriptor + " is not open", e);
        }
    }
}
