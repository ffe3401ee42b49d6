package io.millrace.sender;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Has sockets open for one group of sources at a time. The first datagram of another group closes them and opens that
 * group's, which takes a while: the datagrams due meanwhile are late.
 */
final class TurnsTransmitter implements Transmitter {
    private final Io io;
    private final Endpoints endpoints;
    private final int group;
    private final Tally before = new Tally();
    private @Nullable Transmitter open;
    private int from = -1;

    TurnsTransmitter(Io io, Endpoints endpoints, int group) {
        this.io = io;
        this.endpoints = endpoints;
        this.group = group;
    }

    @Override
    public void send(int source, ByteBuffer datagram) throws IOException {
        Transmitter current = open;
        if (current == null || source < from || source >= from + group) {
            current = change(source / group * group);
        }
        current.send(source - from, datagram);
    }

    private Transmitter change(int to) throws IOException {
        try {
            endTurn();
            from = to;
            open = io.open(endpoints, to, Math.min(group, endpoints.sources() - to), 0);
            return open;
        } catch (IOException e) {
            throw new FatalSendException(String.valueOf(e.getMessage()), e);
        }
    }

    private void endTurn() throws IOException {
        Transmitter current = open;
        open = null;
        if (current != null) {
            current.finish(0, 1, before);
            current.close();
        }
    }

    @Override
    public void finish(int thread, int threads, Tally tally) throws IOException {
        try {
            endTurn();
        } finally {
            tally.add(before);
        }
    }

    @Override
    public void close() throws IOException {
        if (open != null) {
            open.close();
        }
    }
}
