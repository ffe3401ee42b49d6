package io.millrace.transport.stream;

import io.millrace.counters.StreamCounter;
import io.millrace.policy.Policy;
import io.millrace.record.FrameSource;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * A connection: its framer, and what was read and has no place yet. It is the last handler of its channel: whatever comes before it in
 * the pipeline hands on the bytes of the stream. The loop's thread.
 */
final class StreamConnection extends ChannelInboundHandlerAdapter {
    private final StreamConnections connections;
    final StreamListener listener;
    final Channel channel;
    final FrameSource source;
    final InetAddress address;
    final Framer framer;
    private final boolean limitable;
    private final boolean ipv6;
    private final long high;
    private final long low;

    /** Where it is in the list of connections; -1 if it is not. */
    int index = -1;

    long lastReadNs;
    /** True while it waits for a slab or for its rate limit. */
    boolean waits;
    /** True if the channel is closed or about to be: what waits is all there is. */
    boolean ended;

    StreamCounter closeReason = StreamCounter.CLOSED_PEER;
    private ByteBuffer backlog = RemainderPool.NONE;
    private int backlogFrom;
    private int backlogTo;

    StreamConnection(
            StreamConnections connections,
            StreamListener listener,
            Channel channel,
            FrameSource source,
            InetAddress address,
            Framer framer) {
        this.connections = connections;
        this.listener = listener;
        this.channel = channel;
        this.source = source;
        this.address = address;
        this.framer = framer;
        this.limitable = !listener.input.endpoint().transport().isLocal();
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        this.ipv6 = bytes.capacity() == 2 * Long.BYTES;
        this.high = ipv6 ? bytes.getLong(0) : (long) bytes.getInt(0) << Integer.SIZE;
        this.low = ipv6 ? bytes.getLong(Long.BYTES) : 0;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            connections.read(this, bytes);
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        connections.end(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        connections.close(this, StreamCounter.CLOSED_ERROR);
    }

    /** True if its rate limit lets a message pass, which is charged then. */
    boolean charges(Policy policy, int bytes, long timeNs) {
        return !limitable || policy.charges(ipv6, high, low, bytes, timeNs);
    }

    /** Keeps what was read and has no place now. */
    void keep(ByteBuffer memory, int from, int to, RemainderPool pool) {
        int length = backlogTo - backlogFrom + to - from;
        if (backlogTo + to - from > backlog.capacity()) {
            ByteBuffer larger = pool.take(length, Math.max(length, SharedReadBuffer.READ_BYTES));
            larger.put(0, backlog, backlogFrom, backlogTo - backlogFrom);
            pool.release(backlog);
            backlog = larger;
            backlogTo -= backlogFrom;
            backlogFrom = 0;
        }
        backlog.put(backlogTo, memory, from, to - from);
        backlogTo += to - from;
    }

    boolean hasBacklog() {
        return backlogTo > backlogFrom;
    }

    /** Offers what was kept, and at the end of the connection the last message; false if it has no place yet. */
    boolean place(FrameSink sink, RemainderPool pool) {
        backlogFrom = framer.take(backlog, backlogFrom, backlogTo, sink);
        if (hasBacklog()) {
            return false;
        }
        pool.release(backlog);
        backlog = RemainderPool.NONE;
        backlogFrom = 0;
        backlogTo = 0;
        return !ended || framer.end(sink);
    }

    /** Gives up what has no place. */
    void abandon(RemainderPool pool) {
        listener.counts.skippedBytes += backlogTo - backlogFrom;
        pool.release(backlog);
        backlog = RemainderPool.NONE;
        backlogFrom = 0;
        backlogTo = 0;
        framer.abandon();
    }
}
