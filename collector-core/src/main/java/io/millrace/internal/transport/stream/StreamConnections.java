package io.millrace.internal.transport.stream;

import io.millrace.collector.Counter;
import io.millrace.collector.StreamCounter;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.policy.Policy;
import io.millrace.internal.tls.HandshakePacer;
import io.millrace.internal.transport.framing.RemainderPool;
import io.millrace.transport.EpochClock;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners and connections of an event loop. Each read is taken apart into messages at once, and these are appended to the slab of
 * the loop's receiver. The loop's thread.
 *
 * <p>Back-pressure: a message that finds no free slab is offered again later. Its connection keeps what it had read, is not read any
 * more, and waits in line. While one waits, no connection is accepted, and other connections read little before they wait too. A
 * connection above a rate limit waits for some time in the same way, and no other connection does.
 */
public final class StreamConnections {
    private static final Logger LOG = LoggerFactory.getLogger(StreamConnections.class);
    private final ShardCells shard;
    private final List<StreamListener> listeners;
    private final MessageSlabs slabs;
    private final PassOutcome outcome;
    private final SharedReadBuffer readBuffer;
    private final RemainderPool pool = new RemainderPool();
    private final HandshakePacer handshakes;
    private final OpenConnections open = new OpenConnections();
    private final ArrayDeque<StreamConnection> waiting = new ArrayDeque<>();
    /** Those above their rate limit. */
    private final SlowedConnections slowed = new SlowedConnections(this::again);

    final MemoryGuard memory;

    private final MessageAppender appender;
    private final RelpSessions sessions;
    private final StreamHandoff handoff;

    private boolean accepting;
    private boolean acceptsNow = true;
    private @Nullable Policy checkedPolicy;

    /**
     * Prepares to listen.
     *
     * @param listeners bound; closed by {@link #stopAccepting}
     * @param loops how many event loops share the memory for unfinished messages
     * @param outcome gets what the connections bring
     */
    public StreamConnections(
            List<StreamListener> listeners,
            MessageSlabs slabs,
            ShardCells shard,
            EpochClock clock,
            int loops,
            PassOutcome outcome) {
        this.listeners = List.copyOf(listeners);
        this.slabs = slabs;
        this.shard = shard;
        this.outcome = outcome;
        this.readBuffer = new SharedReadBuffer(outcome);
        this.handshakes = new HandshakePacer(outcome::awaited);
        this.memory = new MemoryGuard(MemoryGuard.limitBytes(loops), pool, this);
        this.appender = new MessageAppender(slabs, clock, outcome);
        this.sessions = new RelpSessions(this, slabs, open, outcome);
        this.handoff = new StreamHandoff(this, this.listeners, open, pool, shard);
    }

    /** Continues with connections of the previous process, and begins to accept others. */
    public void start(EventLoop onLoop) throws IOException {
        slowed.start(onLoop);
        for (StreamListener listener : listeners) {
            StreamAcceptor acceptor = new StreamAcceptor(this, listener, readBuffer, pool, handshakes);
            listener.channel.pipeline().addLast(acceptor);
            var registered = onLoop.register(listener.channel);
            if (registered.cause() != null) {
                throw new IOException("the event loop does not take the listener of input " + listener.input.name()
                        + ": " + registered.cause());
            }
            listener.registered();
            acceptor.adopt(listener.takePassed(), onLoop);
        }
        accepting = true;
        sessions.start(onLoop);
        slabs.wake();
    }

    /** The number of the batch of the last message; -1 if it was filtered, and is in none. */
    long currentBatch() {
        return appender.isFiltered() ? -1 : slabs.safe().current();
    }

    Policy policy() {
        return slabs.policy();
    }

    void opened(StreamConnection connection, StreamCounter counter) {
        connection.readAt(System.nanoTime(), true);
        outcome.more();
        open.add(connection);
        connection.listener.counters.add(counter, 1);
        if (connection.hasBacklog()) {
            await(connection);
        }
    }

    void read(StreamConnection connection, ByteBuf bytes) {
        if (connection.hasEnded()) {
            // It was closed, and an earlier handler had decoded more of it.
            return;
        }
        ByteBuffer read = readBuffer.memory(bytes);
        int from = bytes.readerIndex();
        int to = bytes.writerIndex();
        connection.listener.readBytes += to - from;
        if (connection.listener.input.endpoint().transport().isLocal()) {
            outcome.localBytes(to - from);
        }
        connection.readAt(System.nanoTime(), false);
        if (connection.waits()) {
            // Netty reads the end of a connection, and the bytes before it, even with auto-read off.
            connection.keep(read, from, to, pool);
            return;
        }
        appender.begin(connection);
        int taken = connection.take(read, from, to, appender);
        sessions.read(connection);
        if (taken < to) {
            connection.keep(read, taken, to, pool);
            await(connection);
        } else if (connection.decoder.isBroken()) {
            closeBroken(connection);
        }
        if (memory.isExceeded()) {
            memory.relieve(open, slowed, connection.lastReadNs());
        }
        slabs.wake();
        slabs.giveWay();
    }

    private void closeBroken(StreamConnection connection) {
        close(connection, connection.isRelp() ? StreamCounter.CLOSED_RELP_FRAME : StreamCounter.CLOSED_FRAMING);
    }

    /** Stops reading the connection until its backlog fits into a slab, its rate limit allows it, and pending answers are written. */
    private void await(StreamConnection connection) {
        connection.pause();
        if (connection.isBlocked()) {
            return;
        }
        if (!appender.isLimited()) {
            waiting.add(connection);
            beStarved();
            return;
        }
        connection.listener.counters.add(StreamCounter.RATE_LIMITED, 1);
        slowed.add(connection);
    }

    private void beStarved() {
        readBuffer.setShort(true);
        accept(false);
    }

    private void again(List<StreamConnection> connections) {
        // Others may wait for a slab before them.
        waiting.addAll(connections);
        slabs.wake();
    }

    /** Answers clients, and gives those that wait for a slab their turn; to be called in each cycle of the loop. */
    public void resume() {
        // Before a client has its answer, its message is counted.
        publish();
        sessions.answer();
        for (StreamConnection next = waiting.peek(); next != null; next = waiting.peek()) {
            appender.begin(next);
            boolean placed = next.place(appender, pool);
            sessions.read(next);
            if (!placed && !appender.isLimited() && !next.isBlocked()) {
                beStarved();
                return;
            }
            waiting.remove();
            next.resume();
            if (!placed) {
                await(next);
            } else if (next.hasEnded()) {
                next.forget();
            } else if (next.decoder.isBroken()) {
                closeBroken(next);
            } else {
                next.updateReading();
            }
        }
        readBuffer.setShort(false);
        accept(true);
    }

    private void accept(boolean on) {
        if (accepting && on != acceptsNow) {
            acceptsNow = on;
            listeners.forEach(listener -> listener.channel.config().setAutoRead(on));
        }
    }

    /** True if a connection waits for a slab. */
    public boolean isStarved() {
        return !waiting.isEmpty();
    }

    /** Adds to the outcome of a pass what is known at its end: connections that wait to be accepted, handshakes that wait for their turn. */
    public void endPass() {
        if (acceptsNow && StreamListener.anyHasMore(listeners)) {
            outcome.more();
        }
        if (handshakes.hasWaiting()) {
            outcome.awaited();
        }
    }

    /** Adds what was counted to the counters. */
    public void publish() {
        for (StreamListener listener : listeners) {
            listener.publish(shard);
        }
    }

    /** Closes a connection. What was read of it is journaled. */
    void close(StreamConnection connection, StreamCounter reason) {
        if (!connection.hasEnded()) {
            connection.endsBecause(reason);
            connection.sayServerClose();
            var unused = connection.channel.close();
            end(connection);
        }
    }

    /** The connection is closed, or about to be. */
    void end(StreamConnection connection) {
        if (connection.hasEnded()) {
            return;
        }
        connection.end();
        open.remove(connection);
        if (connection.isRelp()) {
            // What has no answer is sent again.
            connection.abandon(pool);
            connection.forget();
            waiting.remove(connection);
            slowed.remove(connection);
            slabs.wake();
            return;
        }
        if (connection.waits()) {
            return;
        }
        appender.begin(connection);
        if (connection.place(appender, pool)) {
            connection.forget();
        } else {
            await(connection);
        }
        slabs.wake();
    }

    /** Every second: closes idle connections, and those that a new policy denies; passes on messages that wait for what follows. */
    public void tick() {
        long nowNs = System.nanoTime();
        memory.relieve(open, slowed, nowNs);
        Policy policy = slabs.policy();
        boolean isNew = policy != checkedPolicy;
        checkedPolicy = policy;
        for (int i = open.size() - 1; i >= 0; i--) {
            StreamConnection connection = open.get(i);
            if (isNew && !connection.isAllowed(policy)) {
                close(connection, StreamCounter.CLOSED_DENIED);
            } else if (connection.isIdle(nowNs)) {
                close(connection, StreamCounter.CLOSED_IDLE);
            } else {
                appender.begin(connection);
                if (connection.settle(appender, nowNs)) {
                    slabs.wake();
                }
            }
        }
    }

    /** Passes the listeners and connections to another process. */
    public StreamHandoff handoff() {
        return handoff;
    }

    /** A connection continues in another process. */
    void passedOn(StreamConnection connection) {
        waiting.remove(connection);
        slowed.remove(connection);
        open.remove(connection);
        connection.forget();
    }

    /** The RELP sessions among the connections. */
    public RelpSessions sessions() {
        return sessions;
    }

    /** A connection is read again, because answers were written. */
    void unblock(StreamConnection connection) {
        if (connection.waits()) {
            waiting.add(connection);
        }
    }

    /** Takes no further command of a RELP session. */
    void endSession(StreamConnection connection) {
        waiting.remove(connection);
        slowed.remove(connection);
        connection.takeNothing(pool);
    }

    /** Accepts what waits, and closes the listeners. */
    public void stopAccepting() throws IOException {
        accepting = false;
        for (StreamListener listener : listeners) {
            try {
                listener.acceptQueued();
            } catch (IOException e) {
                LOG.warn(
                        "Input {}: connections that wait to be accepted are reset at the stop: {}",
                        listener.input.name(),
                        e.getMessage());
            }
            listener.close();
        }
    }

    /** True if connections may be accepted now. */
    boolean accepts() {
        return acceptsNow;
    }

    /** Open connections. */
    public int count() {
        return open.size();
    }

    /** True if nothing waits to be read or placed, as far as the kernel says. */
    public boolean isDrained() {
        return waiting.isEmpty() && open.noneMatch(connection -> !connection.waits() && connection.unreadBytes() > 0);
    }

    /** Closes all connections, and counts their unread bytes. What was read of them waits for {@link #resume}. */
    public void closeAll() {
        appender.ignoreLimits();
        waiting.addAll(slowed.removeAll());
        for (int i = open.size() - 1; i >= 0; i--) {
            closeUnread(open.get(i), StreamCounter.CLOSED_STOP);
        }
    }

    /** Closes a connection, and counts what is not read of it. */
    private void closeUnread(StreamConnection connection, StreamCounter reason) {
        // A client of RELP sends again what has no answer.
        int unread = connection.isRelp() ? 0 : connection.unreadBytes();
        shard.add(Counter.AFTER_STOP_BYTES, unread);
        connection.listener.counters.add(StreamCounter.AFTER_STOP_BYTES, unread);
        close(connection, reason);
    }

    /** True if what was read of connections that have ended has a place. */
    public boolean isSettled() {
        return waiting.isEmpty() && slowed.isEmpty();
    }

    /** Releases the memory, at the end. What has no place yet counts as skipped. */
    public void close() {
        waiting.forEach(connection -> connection.abandon(pool));
        waiting.clear();
        publish();
        readBuffer.close();
    }
}
