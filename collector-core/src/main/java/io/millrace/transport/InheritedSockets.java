package io.millrace.transport;

import io.millrace.handoff.BoundSocket;
import io.millrace.record.IpText;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sockets that are bound already, until inputs have taken them by their addresses. One thread. */
public final class InheritedSockets {
    private static final Logger LOG = LoggerFactory.getLogger(InheritedSockets.class);

    private final Map<InetSocketAddress, List<BoundSocket>> byAddress = new LinkedHashMap<>();

    /**
     * Looks where each is bound.
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
     * Takes those of an address, in their order.
     *
     * @param receivers how many can be used
     * @throws IOException if there are more, or there are fewer and others cannot be bound beside them
     */
    List<BoundSocket> take(InetSocketAddress address, int receivers) throws IOException {
        List<BoundSocket> found = byAddress.getOrDefault(address, List.of());
        if (found.size() > receivers) {
            throw new IOException(found.size() + " sockets of " + IpText.of(address) + " were passed, and there "
                    + (receivers == 1 ? "is 1 receiver" : "are " + receivers + " receivers")
                    + ": what comes to the others would be read by nobody; pass as many as there are receivers");
        }
        if (!found.isEmpty() && found.size() < receivers && !sharesPort(found.get(0))) {
            throw tooFew(address, found.size(), receivers, "cannot share its port (SO_REUSEPORT is not set)");
        }
        byAddress.remove(address);
        return found;
    }

    private static boolean sharesPort(BoundSocket bound) throws IOException {
        try {
            return new Socket(bound.descriptor()).isReusePort();
        } catch (ChannelException e) {
            throw new IOException(BoundSocket.text(bound) + " cannot be asked for its options: " + e.getMessage(), e);
        }
    }

    /** The kernel lets only sockets of one user share a port, and systemd's are root's. */
    static IOException besides(IOException failure, int passed) {
        return new IOException(
                failure.getMessage() + "; of this input " + passed
                        + (passed == 1 ? " socket was" : " sockets were")
                        + " passed, and more can be bound beside them by the same user only: pass as many as there are"
                        + " receivers",
                failure);
    }

    private static IOException tooFew(InetSocketAddress address, int passed, int receivers, String why) {
        return new IOException(receivers + " receivers take as many sockets of " + IpText.of(address) + ", " + passed
                + (passed == 1 ? " was" : " were") + " passed, and it " + why
                + ": in the socket unit of systemd give ListenDatagram=" + IpText.of(address) + " " + receivers
                + " times, with ReusePort=yes, or take as many receivers as sockets (receivers: " + passed + ")");
    }

    /**
     * Sees to it that each was taken.
     *
     * @throws IOException if one was not; the message names it
     */
    void checkAllTaken(List<InputAddress> inputs) throws IOException {
        for (List<BoundSocket> left : byAddress.values()) {
            throw new IOException(BoundSocket.text(left.get(0))
                    + " was passed, and no input listens there: what comes to it would be read by nobody; inputs listen on "
                    + String.join(
                            ", ",
                            inputs.stream()
                                    .map(input -> IpText.of(input.address()))
                                    .toList()));
        }
    }

    /** Closes those that are not taken. */
    public void close() {
        byAddress.values().forEach(InheritedSockets::close);
        byAddress.clear();
    }

    public static void close(List<BoundSocket> sockets) {
        for (BoundSocket bound : sockets) {
            try {
                new FileDescriptor(bound.descriptor()).close();
            } catch (IOException e) {
                LOG.debug("Descriptor {} did not close", bound.descriptor(), e);
            }
        }
    }
}
