package io.millrace.transport;

import io.millrace.handoff.BoundSocket;
import io.netty.channel.IoHandlerFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A way to receive datagrams: it opens sockets and names the kind of event loop they need. */
public interface Transport {
    /** Name in settings and in the ready line. */
    String name();

    /** Why it does not work on this machine, in words for a person; null if it works. */
    @Nullable
    String unavailableBecause();

    /** True if its sockets can refuse, and so count, what arrives once the stop has begun. */
    boolean canRefuse();

    /** True if it can take GRO batches in one piece ({@code UDP_GRO}) and cut them up. */
    boolean canSplit();

    /** True if its sockets are Netty's: the kernel can choose among receivers otherwise than by a hash. */
    boolean isOnEpoll();

    /** True if receive times are the kernel's, and so tell the order of datagrams that different receivers got. */
    boolean tellsTime();

    /**
     * What the event loop of its sockets is made of.
     *
     * @param busyPoll never to sleep, where that can be
     */
    IoHandlerFactory ioHandlerFactory(boolean busyPoll);

    /**
     * Opens and binds a socket.
     *
     * @param address where to listen
     * @param settings what to ask the kernel for
     * @param sharing how it gets along with other sockets on the port
     * @throws IOException if the socket cannot be made or bound
     */
    ReceiveSocket open(InetSocketAddress address, SocketSettings settings, Sharing sharing) throws IOException;

    /**
     * Goes on with a socket that is bound already, and is this process's to close from now on.
     *
     * @param marks how far drops are counted
     * @throws IOException if it cannot be used; it is closed then
     */
    ReceiveSocket adopt(BoundSocket bound, SocketSettings settings, DropMarks marks) throws IOException;

    /**
     * How a socket takes part in a group with {@code SO_REUSEPORT}.
     *
     * <p>The option alone would let a second collector of the same user bind a port that is in use, and silently take
     * half of the datagrams. So the first socket of a group is bound without it, which fails if anybody has the port,
     * and gets the option afterwards; the others are bound with it.
     */
    enum Sharing {
        /** The only socket on the port. */
        ALONE,
        /** The first of a group. */
        FIRST,
        /** A later one of a group. */
        MEMBER
    }
}
