package io.millrace.internal.transport;

import io.millrace.collector.BoundSocket;
import io.millrace.internal.text.IpText;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The passed sockets that no input has taken yet, by address. One thread. */
public final class InheritedSockets {
    private final Map<InetSocketAddress, List<BoundSocket>> byAddress = new LinkedHashMap<>();

    /**
     * Groups sockets by the addresses they are bound to.
     *
     * @throws IOException if one is not a bound UDP socket; the message names it
     */
    static InheritedSockets of(List<BoundSocket> bound) throws IOException {
        InheritedSockets sockets = new InheritedSockets();
        for (BoundSocket each : bound) {
            sockets.byAddress
                    .computeIfAbsent(each.address(), address -> new ArrayList<>())
                    .add(each);
        }
        return sockets;
    }

    /**
     * Takes the sockets of an address, in their order.
     *
     * @param receivers the number of receivers
     * @throws IOException if there are more sockets, or there are fewer and others cannot share their port
     */
    List<BoundSocket> take(InetSocketAddress address, int receivers) throws IOException {
        List<BoundSocket> found = byAddress.getOrDefault(address, List.of());
        if (found.size() > receivers) {
            throw new IOException(found.size() + " sockets of " + IpText.of(address) + " were passed, and there "
                    + (receivers == 1 ? "is 1 receiver" : "are " + receivers + " receivers")
                    + ": no receiver would read the others; pass one socket per receiver");
        }
        if (!found.isEmpty() && found.size() < receivers && !sharesPort(found.get(0))) {
            throw tooFew(address, found.size(), receivers, "SO_REUSEPORT is not set, so others cannot share the port");
        }
        byAddress.remove(address);
        return found;
    }

    private static boolean sharesPort(BoundSocket bound) throws IOException {
        try {
            return new Socket(bound.descriptor()).isReusePort();
        } catch (ChannelException e) {
            throw new IOException(BoundSocket.text(bound) + ": cannot read SO_REUSEPORT: " + e.getMessage(), e);
        }
    }

    /** Adds that sockets were passed. Only sockets of one user can share a port, and those of systemd belong to root. */
    static IOException withPassedSockets(IOException failure, int passed) {
        return new IOException(
                failure.getMessage() + "; " + passed
                        + (passed == 1 ? " socket" : " sockets")
                        + " of this input were passed, and only the user that created them can bind more to their port:"
                        + " pass one socket per receiver",
                failure);
    }

    private static IOException tooFew(InetSocketAddress address, int passed, int receivers, String why) {
        return new IOException(receivers + " receivers need " + receivers + " sockets of " + IpText.of(address)
                + ", but " + passed + (passed == 1 ? " was" : " were") + " passed; " + why
                + ": in the socket unit of systemd, write ListenDatagram=" + IpText.of(address) + " " + receivers
                + " times, with ReusePort=yes, or take as many receivers as sockets (receivers: " + passed + ")");
    }

    /**
     * Checks that all sockets were taken.
     *
     * @throws IOException if one was not; the message names it
     */
    void checkAllTaken(List<InputAddress> inputs) throws IOException {
        for (List<BoundSocket> left : byAddress.values()) {
            throw new IOException(BoundSocket.text(left.get(0))
                    + " was passed, and no input listens there: nothing would read it; inputs listen on "
                    + String.join(
                            ", ",
                            inputs.stream()
                                    .map(input -> IpText.of(input.address()))
                                    .toList()));
        }
    }

    /** Closes the sockets that were not taken. */
    public void close() {
        byAddress.values().forEach(BoundSocket::close);
        byAddress.clear();
    }
}
