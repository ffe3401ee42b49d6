package io.millrace.app.handoff;

import io.millrace.collector.BoundSocket;
import io.millrace.collector.CollectorSettings;
import io.millrace.collector.Successor.PassedStream;
import io.millrace.internal.handoff.DescriptorSocket;
import io.millrace.internal.journal.DataDirectory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Client of the socket handoff: it replaces the process that uses a data directory. One thread. */
public final class HandoffClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HandoffClient.class);
    /**
     * The old process first settles its outputs and syncs its journal, which takes long on a slow disk. Its death is
     * noticed at once.
     */
    private static final long RELEASE_SECONDS = 900;

    private final DescriptorSocket connection;
    private final int pid;
    private final HandoffOffer offer;
    private final List<PassedStream> streams = new ArrayList<>();
    private long connections;
    private long unreadSinceNs;

    private HandoffClient(DescriptorSocket connection, int pid, HandoffOffer offer) {
        this.connection = connection;
        this.pid = pid;
        this.offer = offer;
    }

    /**
     * Requests the sockets of the running process, which continues to read them.
     *
     * @param data the data directory
     * @return null if no process uses the data directory
     * @throws IOException if a process uses it and is unreachable, does not answer, or refuses; nothing has changed
     *     then
     */
    public static @Nullable HandoffClient begin(Path data) throws IOException {
        DescriptorSocket connection;
        try {
            connection = DescriptorSocket.connect(HandoffServer.path(data));
        } catch (IOException e) {
            // For any reason: if no process uses the directory, there is nothing to replace.
            String owner = DataDirectory.owner(data);
            if (owner == null) {
                LOG.debug("Nobody waits at {}", HandoffServer.path(data), e);
                return null;
            }
            throw new IOException(
                    "cannot replace process " + owner + ", which continues unchanged: it has " + data
                            + ", and cannot be reached at " + HandoffServer.path(data) + " (" + e.getMessage()
                            + "); it may be starting or ending, or its log says why it cannot be replaced",
                    e);
        }
        int pid = 0;
        try {
            pid = connection.peerPid();
            connection.send(HandoffOffer.HELLO, HandoffOffer.ANSWER_NS);
            return new HandoffClient(connection, pid, HandoffOffer.receive(connection));
        } catch (IOException e) {
            connection.close();
            throw new IOException(
                    "cannot replace process " + pid + ", which continues unchanged: " + e.getMessage(), e);
        }
    }

    /** The sockets of the running process. */
    public List<BoundSocket> sockets() {
        return offer.sockets();
    }

    /**
     * Compares the settings with those of the running process, and its connections with the limit of open files.
     *
     * @throws IllegalArgumentException if a setting differs that the sockets fix, or there are too many connections; the
     *     message names it
     */
    public void check(CollectorSettings settings) {
        String shortage = offer.shortage();
        if (shortage != null) {
            throw new IllegalArgumentException(
                    "cannot replace process " + pid + ", which continues unchanged: " + shortage);
        }
        String difference = offer.difference(settings);
        if (difference != null) {
            throw new IllegalArgumentException("cannot replace process " + pid + ", which continues unchanged: "
                    + difference + "; to change that, stop it and start again");
        }
    }

    /**
     * Reports that this process is ready, receives the streams of the other, and waits until that has stopped reading and
     * has released the data directory.
     *
     * @throws IOException if the other process does not do that
     */
    public void await() throws IOException, InterruptedException {
        try {
            connection.send(HandoffOffer.READY, HandoffOffer.ANSWER_NS);
            String line = connection.receive(TimeUnit.SECONDS.toNanos(RELEASE_SECONDS));
            while (StreamTransfer.isAnnounced(line)) {
                streams.addAll(StreamTransfer.receive(line, connection));
                line = connection.receive(TimeUnit.SECONDS.toNanos(RELEASE_SECONDS));
            }
            if (!line.startsWith(HandoffOffer.RELEASED)) {
                throw new IOException("process " + pid + " does not hand off: it says '" + line + "'");
            }
            unreadSinceNs = Long.parseLong(line.substring(HandoffOffer.RELEASED.length()));
        } catch (EOFException e) {
            LOG.warn("Process {} has gone without a word; waiting for its end", pid);
            awaitEnd();
        } catch (IOException e) {
            if (ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()) {
                throw e;
            }
            LOG.warn("Process {} has ended before it handed off: {}", pid, e.getMessage());
        }
    }

    /** Listeners and connections of its stream inputs, after {@link #await}; the caller's from now on. */
    public List<PassedStream> takeStreams() {
        List<PassedStream> taken = List.copyOf(streams);
        streams.clear();
        connections = taken.stream().filter(PassedStream::isConnection).count();
        return taken;
    }

    private void awaitEnd() throws IOException, InterruptedException {
        ProcessHandle other = ProcessHandle.of(pid).orElse(null);
        if (other != null) {
            try {
                other.onExit().get(RELEASE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("process " + pid + " does not end", e);
            }
        }
    }

    /** A description of the handoff, after it. */
    public String text() {
        Instant now = Clock.systemUTC().instant();
        long nowNs = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        int count = sockets().size();
        return "received " + count + (count == 1 ? " socket" : " sockets")
                + (connections == 0 ? "" : " and " + connections + (connections == 1 ? " connection" : " connections"))
                + " from process " + pid
                + (unreadSinceNs == 0
                        ? ""
                        : "; reading paused for " + TimeUnit.NANOSECONDS.toMillis(nowNs - unreadSinceNs)
                                + " ms, while datagrams were queued in the socket buffers");
    }

    @Override
    public void close() throws IOException {
        PassedStream.close(takeStreams());
        connection.close();
    }
}
