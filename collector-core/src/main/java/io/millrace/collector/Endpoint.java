package io.millrace.collector;

import io.millrace.internal.text.IpText;
import io.millrace.journal.FrameTransport;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where an input other than UDP listens. It has an address or a path.
 *
 * @param transport how messages come in there
 * @param address address and port of TCP; port 0 lets the kernel choose
 * @param path the socket file of a Unix socket
 */
public record Endpoint(
        FrameTransport transport,
        @Nullable InetSocketAddress address,
        @Nullable Path path) {
    /** A port of TCP. */
    public static Endpoint tcp(InetSocketAddress address) {
        return new Endpoint(FrameTransport.TCP, address, null);
    }

    /** A port of TCP, with TLS. */
    public static Endpoint tls(InetSocketAddress address) {
        return new Endpoint(FrameTransport.TLS, address, null);
    }

    /** A port of RELP. */
    public static Endpoint relp(InetSocketAddress address) {
        return new Endpoint(FrameTransport.RELP, address, null);
    }

    /** A Unix stream socket. */
    public static Endpoint unix(Path path) {
        return new Endpoint(FrameTransport.UNIX_STREAM, null, path);
    }

    /** A Unix datagram socket. */
    public static Endpoint unixgram(Path path) {
        return new Endpoint(FrameTransport.UNIX_DATAGRAM, null, path);
    }

    /** The same on another port, which the kernel has chosen. */
    public Endpoint at(InetSocketAddress bound) {
        return new Endpoint(transport, bound, null);
    }

    /** True if it takes connections; false for datagrams. */
    public boolean isStream() {
        return transport != FrameTransport.UNIX_DATAGRAM;
    }

    /** As options and the configuration take it: {@code tcp://127.0.0.1:5514}. */
    @Override
    public String toString() {
        return transport.key() + "://" + (address == null ? String.valueOf(path) : IpText.of(address));
    }
}
