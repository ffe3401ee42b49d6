package io.millrace.transport.stream;

import io.millrace.agent.EpochClock;
import io.millrace.counters.Counter;
import io.millrace.counters.ShardCounters;
import io.millrace.counters.StreamCounter;
import io.millrace.linux.LibC;
import io.millrace.policy.Policy;
import io.millrace.record.BatchWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The listeners and connections of an event loop. Each read is taken apart into messages at once, and these are appended to the slab of
 * the loop's receiver. The loop's thread.
 *
 * <p>Back-pressure: a message that finds no free slab is offered again later. Its connection keeps what it had read, is not read any
 * more, and waits in line. As long as one waits, nothing is accepted, and other connections that bring something read little of it
 * before they wait too. A connection above a rate limit waits for some time in the same way, and nobody else does.
 */
public final class StreamConnections {
    private static final long SLOWED_NS = 50_000_000;

    private final ShardCounters shard;
    private final EpochClock clock;
    private final List<StreamListener> listeners;
    private final MessageSlabs slabs;
    private final SharedReadBuffer readBuffer = new SharedReadBuffer();
    private final RemainderPool pool = new RemainderPool();
    private final List<StreamConnection> open = new ArrayList<>();
    private final ArrayDeque<StreamConnection> waiting = new ArrayDeque<>();
    /** Those above their rate limit. */
    private final ArrayDeque<StreamConnection> slowed = new ArrayDeque<>();

    private final FrameSink sink = this::append;

    private @Nullable EventLoop loop;
    private @Nullable StreamConnection current;
    private boolean limited;
    private boolean accepting;
    private boolean acceptsNow = true;
    private long timeNs;
    private int messages;
    private boolean full;
    private boolean stopping;

    /**
     * Prepares to listen.
     *
     * @param listeners bound; closed by {@link #stopAccepting}
     */
    public StreamConnections(
            List<StreamListener> listeners, MessageSlabs slabs, ShardCounters shard, EpochClock clock) {
        this.listeners = List.copyOf(listeners);
        this.slabs = slabs;
        this.shard = shard;
        this.clock = clock;
    }

    /** Begins to accept connections. */
    public void start(EventLoop onLoop) throws IOException {
        loop = onLoop;
        for (StreamListener listener : listeners) {
            listener.channel.pipeline().addLast(new StreamAcceptor(this, listener, readBuffer, pool));
            var registered = onLoop.register(listener.channel);
            if (registered.cause() != null) {
                throw new IOException("the event loop does not take the listener of input " + listener.input.name()
                        + ": " + registered.cause());
            }
            listener.registered();
        }
        accepting = true;
    }

    Policy policy() {
        return slabs.policy();
    }

    void opened(StreamConnection connection) {
        connection.index = open.size();
        connection.lastReadNs = System.nanoTime();
        open.add(connection);
        connection.listener.counters.add(StreamCounter.ACCEPTED, 1);
    }

    /** Takes what a connection has read. */
    void read(StreamConnection connection, ByteBuf bytes) {
        ByteBuffer memory = readBuffer.memory(bytes);
        int from = bytes.readerIndex();
        int to = bytes.writerIndex();
        connection.listener.readBytes += to - from;
        connection.lastReadNs = System.nanoTime();
        full = to == bytes.capacity();
        if (connection.waits) {
            // The end of a connection is read whatever was asked for, and what comes before it.
            connection.keep(memory, from, to, pool);
            return;
        }
        begin(connection);
        int taken = connection.framer.take(memory, from, to, sink);
        if (taken < to) {
            connection.keep(memory, taken, to, pool);
            await(connection);
        } else if (connection.framer.isBroken()) {
            close(connection, StreamCounter.CLOSED_FRAMING);
        }
        slabs.wake();
    }

    private void begin(StreamConnection connection) {
        current = connection;
        limited = false;
        timeNs = clock.epochNs();
    }

    private boolean append(ByteBuffer memory, int offset, int length, int originalLength, int marks) {
        StreamConnection connection = Objects.requireNonNull(current);
        BatchWriter batch = slabs.batch();
        if (batch == null) {
            return false;
        }
        if (!stopping && !connection.charges(slabs.policy(), length, timeNs)) {
            limited = true;
            return false;
        }
        boolean first = batch.count() == 0;
        if (!batch.append(connection.source, memory, offset, length, originalLength, marks, timeNs)) {
            if (first) {
                throw new IllegalStateException("an empty slab does not hold a message of maxMessage bytes");
            }
            slabs.submit();
            batch = slabs.batch();
            if (batch == null) {
                return false;
            }
            first = true;
            if (!batch.append(connection.source, memory, offset, length, originalLength, marks, timeNs)) {
                throw new IllegalStateException("an empty slab does not hold a message of maxMessage bytes");
            }
        }
        if (first) {
            slabs.began(timeNs);
        }
        messages++;
        slabs.received(length, (marks & BatchWriter.TRUNCATED) != 0);
        return true;
    }

    /** The connection has something that has no place: it is not read until it has. */
    private void await(StreamConnection connection) {
        connection.waits = true;
        connection.channel.config().setAutoRead(false);
        if (!limited) {
            waiting.add(connection);
            beStarved();
            return;
        }
        connection.listener.counters.add(StreamCounter.RATE_LIMITED, 1);
        slowed.add(connection);
        var unused = Objects.requireNonNull(loop).schedule(() -> again(connection), SLOWED_NS, TimeUnit.NANOSECONDS);
    }

    private void beStarved() {
        readBuffer.setShort(true);
        accept(false);
    }

    private void again(StreamConnection connection) {
        if (slowed.remove(connection)) {
            // Others may wait for a slab before it.
            waiting.add(connection);
            slabs.wake();
        }
    }

    /** Gives those that wait for a slab their turn; to be called in each cycle of the loop. */
    public void resume() {
        for (StreamConnection next = waiting.peek(); next != null; next = waiting.peek()) {
            begin(next);
            boolean placed = next.place(sink, pool);
            if (!placed && !limited) {
                beStarved();
                return;
            }
            waiting.remove();
            next.waits = false;
            if (!placed) {
                await(next);
            } else if (next.ended) {
                forget(next);
            } else if (next.framer.isBroken()) {
                close(next, StreamCounter.CLOSED_FRAMING);
            } else {
                next.channel.config().setAutoRead(true);
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

    /** True if the last read filled its buffer, so that there may be more. Asked once for each cycle. */
    public boolean takeMore() {
        boolean was = full;
        full = false;
        return was;
    }

    /** Messages since the last question. */
    public int takeMessages() {
        int was = messages;
        messages = 0;
        return was;
    }

    /** Adds what was counted to the counters. */
    public void publish() {
        for (StreamListener listener : listeners) {
            listener.publish(shard);
        }
    }

    /** Closes a connection; what it has brought is placed. */
    void close(StreamConnection connection, StreamCounter reason) {
        if (!connection.ended) {
            connection.closeReason = reason;
            var unused = connection.channel.close();
            end(connection);
        }
    }

    /** The connection is closed, or about to be. */
    void end(StreamConnection connection) {
        if (connection.ended) {
            return;
        }
        connection.ended = true;
        remove(connection);
        if (connection.waits) {
            return;
        }
        begin(connection);
        if (connection.place(sink, pool)) {
            forget(connection);
        } else {
            await(connection);
        }
        slabs.wake();
    }

    private void remove(StreamConnection connection) {
        StreamConnection last = open.remove(open.size() - 1);
        if (connection.index < open.size()) {
            open.set(connection.index, last);
            last.index = connection.index;
        }
        connection.index = -1;
    }

    /** Nothing of it is left. */
    private static void forget(StreamConnection connection) {
        connection.listener.counters.add(connection.closeReason, 1);
        connection.listener.limits.release(connection.address);
    }

    /** Every second: closes connections that have brought nothing for too long. */
    public void tick() {
        long nowNs = System.nanoTime();
        for (int i = open.size() - 1; i >= 0; i--) {
            StreamConnection connection = open.get(i);
            long timeoutNs = connection.listener.idleNs;
            if (timeoutNs > 0 && !connection.waits && nowNs - connection.lastReadNs > timeoutNs) {
                close(connection, StreamCounter.CLOSED_IDLE);
            }
        }
    }

    /** Closes the listeners: nobody can connect any more. */
    public void stopAccepting() throws IOException {
        accepting = false;
        for (StreamListener listener : listeners) {
            listener.close();
        }
    }

    /** Open connections. */
    public int count() {
        return open.size();
    }

    /** True if nothing waits to be read or placed, as far as the kernel says. */
    public boolean isDrained() {
        if (!waiting.isEmpty()) {
            return false;
        }
        for (StreamConnection connection : open) {
            if (!connection.waits && unreadBytes(connection) > 0) {
                return false;
            }
        }
        return true;
    }

    private static int unreadBytes(StreamConnection connection) {
        try {
            return connection.channel instanceof UnixChannel unix && unix.fd().isOpen()
                    ? LibC.unreadBytes(unix.fd().intValue())
                    : 0;
        } catch (IOException | LinkageError e) {
            return 0;
        }
    }

    /** Closes all connections, and counts what is not read of them. What they have brought waits for {@link #resume}. */
    public void closeAll() {
        stopping = true;
        waiting.addAll(slowed);
        slowed.clear();
        while (!open.isEmpty()) {
            StreamConnection connection = open.get(open.size() - 1);
            int unread = unreadBytes(connection);
            shard.add(Counter.AFTER_STOP_BYTES, unread);
            connection.listener.counters.add(StreamCounter.AFTER_STOP_BYTES, unread);
            close(connection, StreamCounter.CLOSED_STOP);
        }
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
