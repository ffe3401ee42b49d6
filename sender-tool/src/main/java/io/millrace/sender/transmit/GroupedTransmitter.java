package io.millrace.sender.transmit;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Transmitter that has the sockets of one group of sources open at a time. The first datagram of another group closes them
 * and opens those of that group. This takes time, so datagrams that become due meanwhile are late.
 */
public final class GroupedTransmitter implements Transmitter {
    private final SocketApi api;
    private final Endpoints endpoints;
    private final int group;
    private final SendCounts closedGroups = new SendCounts();
    private @Nullable Transmitter open;
    private int from = -1;

    public GroupedTransmitter(SocketApi api, Endpoints endpoints, int group) {
        this.api = api;
        this.endpoints = endpoints;
        this.group = group;
    }

    @Override
    public void send(int source, ByteBuffer datagram) throws IOException {
        Transmitter current = open;
        if (current == null || source < from || source >= from + group) {
            current = openGroup(source / group * group);
        }
        current.send(source - from, datagram);
    }

    private Transmitter openGroup(int to) throws IOException {
        try {
            closeGroup();
            from = to;
            open = api.open(endpoints, to, Math.min(group, endpoints.sources() - to), 0);
            return open;
        } catch (IOException e) {
            throw new FatalSendException(String.valueOf(e.getMessage()), e);
        }
    }

    private void closeGroup() throws IOException {
        Transmitter current = open;
        open = null;
        if (current != null) {
            current.collectErrors(0, 1, closedGroups);
            current.close();
        }
    }

    @Override
    public void collectErrors(int thread, int threads, SendCounts counts) throws IOException {
        try {
            closeGroup();
        } finally {
            counts.add(closedGroups);
        }
    }

    @Override
    public void close() throws IOException {
        if (open != null) {
            open.close();
        }
    }
}
