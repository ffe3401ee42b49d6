package io.millrace.sender.transmit;

import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.util.Locale;

/** The socket API that sends: Netty's native sockets or Java's channels. */
public enum SocketApi {
    AUTO,
    EPOLL,
    NIO;

    /** This API, or for {@link #AUTO} the best one on this host. */
    public SocketApi resolve() {
        return this != AUTO ? this : Epoll.isAvailable() ? EPOLL : NIO;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Fails if this API is not available on this host. */
    void check() throws IOException {
        if (this == EPOLL && !Epoll.isAvailable()) {
            Throwable cause = Epoll.unavailabilityCause();
            throw new IOException(
                    "--io epoll needs Linux on x86-64 or AArch64 and Netty's native library: "
                            + (cause == null ? "not available" : cause.getMessage()),
                    cause);
        }
    }

    /**
     * Opens the sockets of {@code sources} sources, beginning with number {@code from}.
     *
     * @param segment if not 0, the kernel splits batches into datagrams of this size; for {@link #EPOLL} only
     */
    Transmitter open(Endpoints endpoints, int from, int sources, int segment) throws IOException {
        return this == EPOLL
                ? EpollTransmitter.open(endpoints, from, sources, segment)
                : ChannelTransmitter.open(endpoints, from, sources);
    }

    /** Opens a transmitter for the warm-up: it runs the same code and sends nothing to the targets. */
    Transmitter openForWarmUp(int sources) throws IOException {
        return this == EPOLL ? EpollTransmitter.toDevNull(sources) : ChannelTransmitter.toItself(sources);
    }
}
