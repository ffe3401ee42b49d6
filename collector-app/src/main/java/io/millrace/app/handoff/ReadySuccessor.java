package io.millrace.app.handoff;

import io.millrace.collector.BoundSocket;
import io.millrace.collector.Successor;
import io.millrace.collector.Successor.PassedStream;
import io.millrace.internal.handoff.DescriptorSocket;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that is ready to continue, as the old process sees it: it gets the connections, and is told when the data
 * directory is free. The thread of the handoff.
 */
final class ReadySuccessor implements Successor {
    private static final Logger LOG = LoggerFactory.getLogger(ReadySuccessor.class);

    private final DescriptorSocket peer;
    private final int pid;
    private final int sockets;
    private final @Nullable List<BoundSocket> spare;
    private long connections;
    private long pendingBytes;
    private boolean failed;
    private boolean gone;

    /**
     * @param peer the connection to it
     * @param pid its process
     * @param sockets the number of sockets that it has got
     * @param spare duplicates of these, with which the old process continues if the successor ends; null without
     */
    ReadySuccessor(DescriptorSocket peer, int pid, int sockets, @Nullable List<BoundSocket> spare) {
        this.peer = peer;
        this.pid = pid;
        this.sockets = sockets;
        this.spare = spare;
    }

    @Override
    public boolean takesStreams() {
        return true;
    }

    @Override
    public void take(List<PassedStream> streams) throws IOException {
        failed = true;
        StreamTransfer.send(streams, peer);
        failed = false;
        for (PassedStream stream : streams) {
            connections += stream.isConnection() ? 1 : 0;
            pendingBytes += stream.pendingBytes();
        }
    }

    @Override
    public void released(long sinceNs) {
        // After a part of the streams, the successor would not understand another line.
        if (failed || !release(sinceNs)) {
            gone = spare != null;
            if (connections > 0) {
                LOG.error(
                        "{} connections were passed to the successor and ended with it; {} bytes that were read of them"
                                + " and not journaled are lost, and in no counter",
                        connections,
                        pendingBytes);
            }
            return;
        }
        // Closes this process's descriptors: a socket that is open and not read loses datagrams.
        closeSpare();
        System.err.println("millrace: handed off " + sockets + (sockets == 1 ? " socket" : " sockets")
                + (connections == 0 ? "" : " and " + connections + " connections") + " to process " + pid);
    }

    private boolean release(long sinceNs) {
        try {
            peer.send(HandoffOffer.RELEASED + sinceNs, HandoffOffer.ANSWER_NS);
            return true;
        } catch (IOException e) {
            LOG.warn("The successor has ended: {}", e.getMessage());
            return false;
        }
    }

    /** True if it ended before it continued, and there are spare sockets. */
    boolean gone() {
        return gone;
    }

    /** The duplicates; the caller closes them. */
    @Nullable
    List<BoundSocket> spare() {
        return spare;
    }

    void closeSpare() {
        if (spare != null) {
            BoundSocket.close(spare);
            spare.clear();
        }
    }
}
