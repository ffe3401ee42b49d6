package io.millrace.internal.receive;

import io.millrace.collector.Steering;
import io.millrace.internal.transport.Transport;
import io.millrace.internal.transport.Transports;
import java.util.Locale;

/** Checks whether a transport can do what settings require. Without state. */
public final class TransportCheck {
    private TransportCheck() {}

    /**
     * Checks the choice of a transport.
     *
     * @param gro whether it must be able to take GRO batches in one piece
     * @param steering how it must be able to have the kernel choose among receivers
     * @param busyPoll whether it must be able to ask all the time
     * @throws IllegalArgumentException if there is none of this name, or it does not work here, or cannot do that
     */
    public static void check(String name, boolean gro, Steering steering, boolean busyPoll) {
        Transport transport = Transports.select(name);
        if (gro && !transport.canSplit()) {
            throw new IllegalArgumentException("gro takes the transport native, and this is " + transport.name());
        }
        if (busyPoll && !transport.isOnEpoll()) {
            throw new IllegalArgumentException(
                    "busyPoll takes the transport native or epoll, and this is " + transport.name());
        }
        if (steering != Steering.HASH && !transport.isOnEpoll()) {
            throw new IllegalArgumentException("steering " + steering.name().toLowerCase(Locale.ROOT)
                    + " takes the transport native or epoll: " + transport.name()
                    + " has no means to attach the program that chooses");
        }
    }

    /**
     * Checks that a transport can go on with sockets that are bound already, and pass its own on.
     *
     * @throws IllegalArgumentException if it cannot
     */
    public static void checkPassing(String name) {
        Transport transport = Transports.select(name);
        if (!transport.isOnEpoll()) {
            throw new IllegalArgumentException(
                    "transport takes native or epoll where bound sockets are passed between processes, and this is "
                            + transport.name());
        }
    }
}
