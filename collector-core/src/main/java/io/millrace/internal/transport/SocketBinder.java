package io.millrace.internal.transport;

import io.millrace.collector.BoundSocket;
import io.millrace.collector.Steering;
import io.millrace.internal.counters.SocketCells;
import io.netty.channel.ChannelException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens and binds the sockets of inputs, or adopts sockets that were passed. One thread. */
public final class SocketBinder {
    private static final Logger LOG = LoggerFactory.getLogger(SocketBinder.class);

    private final Transport transport;
    private final SocketSettings settings;
    private final DropMarks marks;

    /**
     * Creates a binder.
     *
     * @param marks the accounted drops of passed sockets
     */
    public SocketBinder(Transport transport, SocketSettings settings, DropMarks marks) {
        this.transport = transport;
        this.settings = settings;
        this.marks = marks;
    }

    /**
     * Opens a socket for each input and shard.
     *
     * @param passed sockets that are already bound; all of them are closed if this fails
     * @return the sockets by shard, and then in the order of the inputs
     * @throws IOException if an input cannot be bound; the message names it and says how to fix it
     */
    public List<List<ListeningSocket>> bind(List<InputAddress> inputs, int shards, List<BoundSocket> passed)
            throws IOException {
        List<List<ListeningSocket>> sockets = new ArrayList<>();
        for (int i = 0; i < shards; i++) {
            sockets.add(new ArrayList<>());
        }
        @Nullable InheritedSockets adopted = null;
        try {
            adopted = InheritedSockets.of(passed);
            for (InputAddress input : inputs) {
                bind(input, sockets, adopted.take(input.address(), shards));
            }
            adopted.checkAllTaken(inputs);
        } catch (IOException | RuntimeException e) {
            closeAll(sockets);
            if (adopted == null) {
                BoundSocket.close(passed);
            } else {
                adopted.close();
            }
            throw e;
        }
        return sockets;
    }

    private void bind(InputAddress input, List<List<ListeningSocket>> sockets, List<BoundSocket> passed)
            throws IOException {
        InetSocketAddress address = input.address();
        int taken = 0;
        try {
            for (int shard = 0; shard < sockets.size(); shard++) {
                ReceiveSocket socket;
                if (shard < passed.size()) {
                    taken++;
                    socket = transport.adopt(passed.get(shard), settings, marks);
                } else {
                    socket = open(address, sharing(shard, sockets.size()), passed.size());
                }
                sockets.get(shard)
                        .add(new ListeningSocket(
                                socket,
                                input.id(),
                                new SocketCells(input.name(), shard, socket.grantedReceiveBuffer()),
                                input.mergesChunks()));
                address = socket.localAddress();
            }
        } catch (OutOfMemoryError e) {
            throw new IOException(
                    "there is not enough direct memory for what the sockets read at once: raise"
                            + " -XX:MaxDirectMemorySize, or use a shorter max-datagram or fewer receivers",
                    e);
        } finally {
            BoundSocket.close(passed.subList(taken, passed.size()));
        }
        boolean steered = settings.steering() != Steering.HASH || !passed.isEmpty();
        if (steered && sockets.size() > 1) {
            List<ListeningSocket> first = sockets.get(0);
            first.get(first.size() - 1).socket().steer(settings.steering(), sockets.size());
        }
    }

    private static Transport.Sharing sharing(int shard, int shards) {
        return shards == 1 ? Transport.Sharing.ALONE : shard == 0 ? Transport.Sharing.FIRST : Transport.Sharing.MEMBER;
    }

    private ReceiveSocket open(InetSocketAddress address, Transport.Sharing sharing, int passed) throws IOException {
        try {
            return transport.open(address, settings, sharing);
        } catch (IOException | ChannelException | UnsupportedOperationException e) {
            IOException said = BindFailure.ofUdp(address, e);
            throw passed > 0 ? InheritedSockets.withPassedSockets(said, passed) : said;
        }
    }

    public static void closeAll(List<List<ListeningSocket>> sockets) {
        for (List<ListeningSocket> ofShard : sockets) {
            for (ListeningSocket listening : ofShard) {
                try {
                    listening.socket().close();
                } catch (IOException e) {
                    LOG.debug("Cannot close a socket that was never read", e);
                }
            }
        }
    }
}
