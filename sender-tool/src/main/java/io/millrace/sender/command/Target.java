package io.millrace.sender.command;

import io.millrace.sender.value.Quantity;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A target of the run.
 *
 * @param text the text of the option
 * @param destination the resolved address, or the path of a Unix socket
 * @param kind how to send to it
 */
record Target(String text, SocketAddress destination, Kind kind) {
    /** How to send to a target. */
    enum Kind {
        UDP,
        /** A connection of TCP or of a Unix socket. */
        STREAM,
        UNIX_DATAGRAM
    }

    private static final Pattern HOST_PORT = Pattern.compile("(?:\\[([^\\[\\]]+)]|([^:\\[\\]]+)):(\\d{1,5})");
    private static final String UDP = "udp://";
    private static final String TCP = "tcp://";
    private static final String UNIX = "unix://";
    private static final String UNIXGRAM = "unixgram://";
    private static final int MAX_PORT = 65_535;

    /** Parses and resolves HOST:PORT, udp://HOST:PORT, tcp://HOST:PORT, unix:///PATH or unixgram:///PATH. */
    static Target parse(String text) {
        if (text.startsWith(UNIX)) {
            return unix(text, UNIX, Kind.STREAM);
        }
        if (text.startsWith(UNIXGRAM)) {
            return unix(text, UNIXGRAM, Kind.UNIX_DATAGRAM);
        }
        boolean stream = text.startsWith(TCP);
        String address = stream || text.startsWith(UDP) ? text.substring(TCP.length()) : text;
        Matcher matcher = HOST_PORT.matcher(address);
        int port = matcher.matches() ? Integer.parseInt(matcher.group(3)) : 0;
        if (port < 1 || port > MAX_PORT) {
            throw Quantity.invalid(
                    text,
                    "accepts HOST:PORT with a port from 1 to 65535, such as 127.0.0.1:5514, localhost:5514 or"
                            + " [::1]:5514, or tcp://HOST:PORT, unix:///PATH or unixgram:///PATH");
        }
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        try {
            return new Target(
                    text, new InetSocketAddress(InetAddress.getByName(host), port), stream ? Kind.STREAM : Kind.UDP);
        } catch (UnknownHostException e) {
            throw Quantity.invalid(text, "the host '" + host + "' cannot be resolved");
        }
    }

    private static Target unix(String text, String scheme, Kind kind) {
        String path = text.substring(scheme.length());
        try {
            if (path.startsWith("/")) {
                return new Target(text, UnixDomainSocketAddress.of(path), kind);
            }
        } catch (IllegalArgumentException e) {
            throw Quantity.invalid(text, "accepts the path of a socket, and this is none: " + e.getMessage());
        }
        throw Quantity.invalid(text, "accepts an absolute path, such as " + scheme + "/run/millrace/log");
    }

    /** The address, of a target that is no Unix socket. */
    InetSocketAddress address() {
        return (InetSocketAddress) destination;
    }

    boolean isIpv4() {
        return destination instanceof InetSocketAddress ip && ip.getAddress() instanceof Inet4Address;
    }

    boolean isIpv4Loopback() {
        return isIpv4() && address().getAddress().isLoopbackAddress();
    }
}
