package io.millrace.internal.transport.stream;

import io.millrace.collector.StreamCounter;
import io.millrace.internal.ring.SafeBatches;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * The RELP sessions of an event loop: answers the commands of clients once their messages are safe, many with one write. It does not poll:
 * while answers are pending it runs after each cycle of the loop, and is woken when another thread has made batches safe. The loop's
 * thread.
 */
public final class RelpSessions {
    private final StreamConnections connections;
    private final MessageSlabs slabs;
    private final OpenConnections open;
    private final PassOutcome outcome;
    /** Those with pending answers, in no order. */
    private final List<StreamConnection> pending = new ArrayList<>();

    RelpSessions(StreamConnections connections, MessageSlabs slabs, OpenConnections open, PassOutcome outcome) {
        this.connections = connections;
        this.slabs = slabs;
        this.open = open;
        this.outcome = outcome;
    }

    /** Begins, on an event loop. */
    void start(EventLoop loop) {
        slabs.safe().onSafe(() -> {
            if (!loop.inEventLoop()) {
                try {
                    loop.execute(slabs::wake);
                } catch (RejectedExecutionException e) {
                    // The loop has ended, and with it its connections: nobody waits.
                }
            }
        });
    }

    void read(StreamConnection connection) {
        if (connection.isRelp()) {
            outcome.awaited();
            if (connection.beginsAnswering()) {
                pending.add(connection);
            }
        }
    }

    /** A client can take more answers. */
    void wake() {
        slabs.wake();
    }

    /** Writes the answers that are due. Connections with too many pending ones are read again then. */
    void answer() {
        if (pending.isEmpty()) {
            return;
        }
        SafeBatches safe = slabs.safe();
        long count = safe.count();
        for (int i = pending.size() - 1; i >= 0; i--) {
            StreamConnection connection = pending.get(i);
            boolean blocked = connection.isBlocked();
            if (!connection.hasEnded()) {
                connection.answer(count);
            }
            if (blocked && !connection.isBlocked() && !connection.hasEnded()) {
                connections.unblock(connection);
            }
            if (connection.hasEnded() || !connection.awaitsAnswers()) {
                connection.endAnswering();
                StreamConnection last = pending.remove(pending.size() - 1);
                if (i < pending.size()) {
                    pending.set(i, last);
                }
            }
        }
        if (!pending.isEmpty() && !safe.await(count)) {
            slabs.wake();
        }
    }

    /** First step of the end of all sessions: takes no further command. Answers that are pending are written when they are due. */
    public void refuse() {
        for (int i = open.size() - 1; i >= 0; i--) {
            if (open.get(i).isRelp()) {
                connections.endSession(open.get(i));
            }
        }
        slabs.wake();
    }

    /** Second step: true if no client waits for an answer. */
    public boolean isAnswered() {
        return pending.isEmpty();
    }

    /** Third step: tells the clients that the server closes. They close their ends, and connect again. */
    public void sayServerClose() {
        for (int i = open.size() - 1; i >= 0; i--) {
            StreamConnection connection = open.get(i);
            if (connection.isRelp()) {
                connection.endsBecause(StreamCounter.CLOSED_STOP);
                connection.sayServerClose();
            }
        }
    }

    /** Fourth step: true if all clients have closed their connections. */
    public boolean isEmpty() {
        return open.noneMatch(StreamConnection::isRelp);
    }
}
