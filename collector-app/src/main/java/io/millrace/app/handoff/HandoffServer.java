package io.millrace.app.handoff;

import io.millrace.collector.Collector;
import io.millrace.handoff.BoundSocket;
import io.millrace.handoff.DescriptorServer;
import io.millrace.handoff.DescriptorSocket;
import io.millrace.receive.ReceiveStage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for a process that wants to replace this one. Until that says it is ready nothing changes; then {@code onReady} is
 * called, and the main thread hands off. Any thread.
 */
public final class HandoffServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HandoffServer.class);
    private static final long READY_NS = TimeUnit.SECONDS.toNanos(60);

    private final Collector collector;
    private final Runnable onReady;
    private @Nullable DescriptorServer server;
    private volatile @Nullable DescriptorSocket connection;
    private volatile @Nullable Successor successor;
    private boolean decided;

    /** The process that is ready to go on. */
    private record Successor(DescriptorSocket connection, int pid) {}

    private HandoffServer(Collector collector, Runnable onReady) {
        this.collector = collector;
        this.onReady = onReady;
    }

    /** Where a process that runs on a data directory waits for the next. */
    static Path path(Path data) {
        return data.resolve("handoff");
    }

    /**
     * Begins to wait; says in the log if that is not possible.
     *
     * @param collector which runs
     * @param onReady called once, when another process is ready, on a thread of its own
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
                throw new IllegalArgumentException("another process is taking over already");
            }
            checkRoom();
            HandoffOffer.of(collector).send(peer);
            if (!peer.receive(READY_NS).equals(HandoffOffer.READY)) {
                throw new IOException("it did not get ready");
            }
            checkRoom();
            LOG.info("Process {} is ready to go on", pid);
            accept(new Successor(peer, pid));
            onReady.run();
        } catch (IllegalArgumentException e) {
            LOG.warn("{} cannot go on: {}", who, e.getMessage());
            refuse(peer, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.warn("{} did not go on, and nothing has changed: {}", who, e.getMessage());
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

    private synchronized void accept(Successor ready) throws IOException {
        if (decided) {
            throw new IOException("this process was told to stop a moment before");
        }
        successor = ready;
    }

    /** Decides how this process ends, once and for all: true if another is ready to go on. */
    public synchronized boolean decide() {
        decided = true;
        return successor != null;
    }

    /**
     * Hands off to the process that is ready: the collector stops.
     *
     * @return null if that process is told that it can go on; else the sockets, with which this one has to: the caller's to close
     * @throws IOException if a step of the stop failed; the others were done all the same
     */
    public @Nullable List<BoundSocket> run() throws IOException {
        Successor next = successor;
        if (next == null) {
            throw new IllegalStateException("nobody is ready to go on");
        }
        int pid = next.pid();
        // The next process waits at the same path.
        close();
        int count = collector.boundSockets().size();
        List<BoundSocket> spare = spare();
        boolean[] gone = {false};
        try (DescriptorSocket peer = next.connection()) {
            collector.handoff(sinceNs -> {
                boolean told = release(peer, sinceNs);
                gone[0] = !told && !spare.isEmpty();
                if (told) {
                    // They are the other's alone from now on: a socket that is held and not read is lost datagrams.
                    ReceiveStage.closePassed(spare);
                    spare.clear();
                    System.err.println("millrace: handed off " + count + (count == 1 ? " socket" : " sockets")
                            + " to process " + pid);
                }
            });
        } catch (IOException e) {
            if (!gone[0]) {
                throw e;
            }
            LOG.error("A step of the stop failed", e);
        } finally {
            if (!gone[0]) {
                ReceiveStage.closePassed(spare);
            }
        }
        return gone[0] ? spare : null;
    }

    /** To go on with if the other process cannot; none if there are no descriptors left for them. */
    private List<BoundSocket> spare() {
        List<BoundSocket> spare = new ArrayList<>();
        try {
            for (BoundSocket socket : collector.boundSockets()) {
                spare.add(socket.duplicate());
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("The sockets are handed off without a way back: {}", e.toString());
            ReceiveStage.closePassed(spare);
            spare.clear();
        }
        return spare;
    }

    private static boolean release(DescriptorSocket peer, long sinceNs) {
        try {
            peer.send(HandoffOffer.RELEASED + sinceNs, HandoffOffer.ANSWER_NS);
            return true;
        } catch (IOException e) {
            LOG.warn("The process that was ready to go on is gone: {}", e.getMessage());
            return false;
        }
    }

    /** Waits no more; a process that is not ready yet hears that this one ends. */
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
