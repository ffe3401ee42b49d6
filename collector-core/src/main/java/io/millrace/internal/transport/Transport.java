package io.millrace.internal.transport;

import io.millrace.collector.BoundSocket;
import io.netty.channel.IoHandlerFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A transport for datagrams: opens sockets, and provides the I/O handlers of their event loops. */
public interface Transport {
    /** The name in settings and in the ready line. */
    String name();

    /** The reason why it does not work on this host, for people; null if it works. */
    @Nullable
    String unavailableBecause();

    /** True if its sockets can refuse, and so count, datagrams that arrive after the stop has begun. */
    boolean canRefuse();

    /** True if it can read GRO batches ({@code UDP_GRO}) and split them into datagrams. */
    boolean canSplit();

    /** True if it uses Netty's epoll event loop and sockets, which busy polling, steering and passed sockets require. */
    boolean isOnEpoll();

    /** True if receive times are the kernel's, so that they give the order of datagrams of different receivers. */
    boolean tellsTime();

    /**
     * Creates the factory of the I/O handler for the event loop of its sockets.
     *
     * @param busyPoll never sleep, if the transport supports that
     */
    IoHandlerFactory ioHandlerFactory(boolean busyPoll);

    /**
     * Opens and binds a socket.
     *
     * @param address the address to listen on
     * @param settings the settings of the socket
     * @param sharing how it shares the port with other sockets
     * @throws IOException if the socket cannot be created or bound
     */
    ReceiveSocket open(InetSocketAddress address, SocketSettings settings, Sharing sharing) throws IOException;

    /**
     * Adopts a socket that is already bound. This process must close it from now on.
     *
     * @param marks the accounted drops of passed sockets
     * @throws IOException if it cannot be used; it is then closed
     */
    ReceiveSocket adopt(BoundSocket bound, SocketSettings settings, DropMarks marks) throws IOException;

    /**
     * The role of a socket in a group that shares a port with {@code SO_REUSEPORT}.
     *
     * <p>With the option, a second collector of the same user could bind a port in use, and silently take half of the datagrams.
     * So the first socket of a group is bound without it, which fails if the port is in use. It gets the option afterwards. The
     * other sockets are bound with it.
     */
    enum Sharing {
        /** The only socket on the port. */
        ALONE,
        /** The first socket of a group. */
        FIRST,
        /** A later socket of a group. */
        MEMBER
    }
}
