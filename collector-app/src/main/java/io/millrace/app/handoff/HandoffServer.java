package io.millrace.app.handoff;

import io.millrace.collector.BoundSocket;
import io.millrace.collector.Collector;
import io.millrace.internal.handoff.DescriptorServer;
import io.millrace.internal.handoff.DescriptorSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server of the socket handoff: it waits for a process that wants to replace this one. Nothing changes until that
 * process is ready. Then {@code onReady} is called, and the main thread hands off. Any thread.
 */
public final class HandoffServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HandoffServer.class);
    private static final long READY_NS = TimeUnit.SECONDS.toNanos(60);

    private final Collector collector;
    private final Runnable onReady;
    private @Nullable DescriptorServer server;
    private volatile @Nullable DescriptorSocket connection;
    private volatile @Nullable Ready successor;
    private boolean decided;

    private record Ready(DescriptorSocket connection, int pid) {}

    private HandoffServer(Collector collector, Runnable onReady) {
        this.collector = collector;
        this.onReady = onReady;
    }

    /** The path of the Unix socket of a data directory. */
    static Path path(Path data) {
        return data.resolve("handoff");
    }

    /**
     * Starts the server; logs a warning if that is not possible.
     *
     * @param collector the running collector
     * @param onReady called once on another thread, when a successor is ready
     */
    public static HandoffServer await(Collector collector, Runnable onReady) {
        HandoffServer handoff = new HandoffServer(collector, onReady);
        try {
            handoff.server = DescriptorServer.listen(
                    path(collector.settings().dataDirectory()), "millrace-handoff", handoff::serve);
        } catch (IOException e) {
            LOG.warn("No process can replace this one (run --hot-restart): {}", e.getMessage());
        }
        return handoff;
    }

    private void serve(DescriptorSocket peer) {
        connection = peer;
        String who = "A process";
        try {
            int pid = peer.peerPid();
            who = "Process " + pid;
            String hello = peer.receive(HandoffOffer.ANSWER_NS);
            if (!hello.equals(HandoffOffer.HELLO)) {
                throw new IOException("it is of another version of Millrace: it says '" + hello + "'");
            }
            if (successor != null) {
                throw new IllegalArgumentException("another process continues already");
            }
            checkRoom();
            HandoffOffer.of(collector).send(peer);
            if (!peer.receive(READY_NS).equals(HandoffOffer.READY)) {
                throw new IOException("it did not get ready");
            }
            checkRoom();
            LOG.info("Process {} is ready to continue", pid);
            accept(new Ready(peer, pid));
            onReady.run();
        } catch (IllegalArgumentException e) {
            LOG.warn("{} cannot continue: {}", who, e.getMessage());
            refuse(peer, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.warn("{} did not continue, and nothing has changed: {}", who, e.getMessage());
            close(peer);
        }
    }

    private void checkRoom() {
        String full = collector.waitsForRoom();
        if (full != null) {
            throw new IllegalArgumentException(
                    full + "; what was received waits for that in memory, and would be lost: make room first");
        }
    }

    private static void refuse(DescriptorSocket peer, String reason) {
        try (peer) {
            peer.send(HandoffOffer.REFUSED + reason, HandoffOffer.ANSWER_NS);
        } catch (IOException e) {
            LOG.debug("It did not wait for the answer", e);
        }
    }

    private static void close(DescriptorSocket peer) {
        try {
            peer.close();
        } catch (IOException e) {
            LOG.debug("A connection did not close", e);
        }
    }

    private synchronized void accept(Ready ready) throws IOException {
        if (decided) {
            throw new IOException("this process was told to stop a moment before");
        }
        successor = ready;
    }

    /** Decides once how this process ends; returns true if a successor is ready. */
    public synchronized boolean decide() {
        decided = true;
        return successor != null;
    }

    /**
     * Hands off to the ready successor: the collector stops.
     *
     * @return null if the successor continues; else the sockets, with which this process must continue and which the
     *     caller closes
     * @throws IOException if a step of the stop failed; the others were executed
     */
    public @Nullable List<BoundSocket> run() throws IOException {
        Ready next = successor;
        if (next == null) {
            throw new IllegalStateException("no process is ready to continue");
        }
        // The successor waits at the same path.
        close();
        ReadySuccessor ready = new ReadySuccessor(
                next.connection(), next.pid(), collector.boundSockets().size(), spare());
        try {
            collector.handoff(ready);
        } catch (IOException e) {
            if (!ready.gone()) {
                throw e;
            }
            LOG.error("A step of the stop failed", e);
        } finally {
            close(next.connection());
            if (!ready.gone()) {
                ready.closeSpare();
            }
        }
        return ready.gone() ? ready.spare() : null;
    }

    /** Duplicates for the case that the successor fails; null if there are no descriptors left. */
    private @Nullable List<BoundSocket> spare() {
        List<BoundSocket> spare = new ArrayList<>();
        try {
            for (BoundSocket socket : collector.boundSockets()) {
                spare.add(socket.duplicate());
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("The sockets are handed off without a way back: {}", e.toString());
            BoundSocket.close(spare);
            return null;
        }
        return spare;
    }

    /** Stops the server; a connected process that is not ready is informed. */
    @Override
    public void close() {
        DescriptorSocket peer = connection;
        if (peer != null && successor == null) {
            peer.abandon();
        }
        try {
            DescriptorServer open = server;
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            LOG.warn("{} did not close well: {}", path(collector.settings().dataDirectory()), e.toString());
        }
    }
}
