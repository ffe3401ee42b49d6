package io.millrace.internal.transport.stream;

import io.millrace.collector.StreamCounter;
import io.millrace.collector.Successor.PassedStream;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.linux.LibC;
import io.millrace.internal.policy.Policy;
import io.millrace.internal.record.FrameSource;
import io.millrace.internal.tls.TlsFailure;
import io.millrace.internal.tls.TlsServer;
import io.millrace.internal.transport.framing.FrameSink;
import io.millrace.internal.transport.framing.Framer;
import io.millrace.internal.transport.framing.RemainderPool;
import io.millrace.internal.transport.framing.StreamDecoder;
import io.millrace.internal.transport.relp.RelpAnswers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.unix.UnixChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection: its decoder, and what was read and has no slab yet. It is the last handler of its channel: earlier handlers of the
 * pipeline pass on the bytes of the stream. The loop's thread.
 */
final class StreamConnection extends ChannelInboundHandlerAdapter {
    private final StreamConnections connections;
    final StreamListener listener;
    final Channel channel;
    private FrameSource source;
    /** Its other end, which a proxy may be. */
    final InetAddress peer;

    private InetAddress address;
    final StreamDecoder decoder;
    /** What its client waits for; null if it does not speak RELP. */
    private final @Nullable RelpAnswers answers;

    /** True while it is in the list of {@link RelpSessions}. */
    private boolean answering;

    private final boolean limitable;
    private boolean ipv6;
    private long high;
    private long low;

    /** Where it is in the list of connections; -1 if it is not. */
    int index = -1;

    private long lastReadNs;
    private long unfinishedNs;

    /** The memory of its TLS handshake. */
    private int handshakeBytes;
    /** What was read before its first record of TLS. */
    private long beforeTls;

    private ConnectionState state = ConnectionState.READING;

    /** True if the rate limit was charged for the next message, which had no place yet. */
    private boolean charged;

    private StreamCounter closeReason = StreamCounter.CLOSED_PEER;
    private ByteBuffer backlog = RemainderPool.NONE;
    private int backlogFrom;
    private int backlogTo;

    StreamConnection(
            StreamConnections connections,
            StreamListener listener,
            Channel channel,
            FrameSource source,
            InetAddress address,
            StreamDecoder decoder,
            @Nullable RelpAnswers answers) {
        this.connections = connections;
        this.listener = listener;
        this.channel = channel;
        this.source = source;
        this.peer = address;
        this.decoder = decoder;
        this.answers = answers;
        this.limitable = !listener.input.endpoint().transport().isLocal();
        setAddress(address);
    }

    /** The source of its messages. */
    FrameSource source() {
        return source;
    }

    /** The address of its sender. */
    InetAddress address() {
        return address;
    }

    /** Replaces the source: the certificate of its client is known. */
    void identify(FrameSource of) {
        source = of;
    }

    /** Replaces the source: a proxy has told the address of its client. */
    void identify(FrameSource of, InetAddress client) {
        source = of;
        setAddress(client);
    }

    private void setAddress(InetAddress of) {
        address = of;
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        ipv6 = bytes.capacity() == 2 * Long.BYTES;
        high = ipv6 ? bytes.getLong(0) : (long) bytes.getInt(0) << Integer.SIZE;
        low = ipv6 ? bytes.getLong(Long.BYTES) : 0;
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
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        updateReading();
        connections.sessions().wake();
    }

    boolean waits() {
        return state.waits();
    }

    /** True if the channel is closed or about to be. */
    boolean hasEnded() {
        return state.hasEnded();
    }

    /** Its backlog waits, and it is not read. */
    void pause() {
        state = state.paused();
        updateReading();
    }

    /** Nothing waits any more. An open connection is read again by {@link #updateReading}. */
    void resume() {
        state = state.resumed();
    }

    /** The channel closes. */
    void end() {
        state = state.closed();
    }

    /** Sets the reason that its end is counted with. */
    void endsBecause(StreamCounter reason) {
        closeReason = reason;
    }

    /** Reads unless something waits, or the client does not read its answers. */
    void updateReading() {
        channel.config().setAutoRead(!waits() && channel.isWritable());
    }

    /** Records the time of a read; the first one is its beginning. */
    void readAt(long nowNs, boolean isFirst) {
        lastReadNs = nowNs;
        unfinishedNs = isFirst ? nowNs : unfinishedNs;
    }

    /** When something was read last, by {@link System#nanoTime}. */
    long lastReadNs() {
        return lastReadNs;
    }

    /** Since when it has something unfinished, or when it last finished something. */
    long unfinishedNs() {
        return unfinishedNs;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslCloseCompletionEvent) {
            // The client has closed its side of TLS. The close answers that (RFC 5425 section 4.4, RFC 8446 section
            // 6.1).
            var unused = channel.close();
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (TlsFailure.isTooManyRecords(cause)) {
            listener.notice(
                    StreamCounter.CLOSED_TLS_RECORDS,
                    address,
                    "it sends many TLS records without data, such as KeyUpdate");
            connections.close(this, StreamCounter.CLOSED_TLS_RECORDS);
            return;
        }
        var unused = FatalErrors.report(cause);
        connections.close(this, StreamCounter.CLOSED_ERROR);
    }

    /** True if it has brought nothing for longer than its input allows. */
    boolean isIdle(long nowNs) {
        // A client that does not read its answers is idle, too.
        boolean isWaiting = channel.isWritable() && (waits() || awaitsAnswers());
        return listener.idleNs > 0 && !isWaiting && nowNs - lastReadNs > listener.idleNs;
    }

    boolean isAllowed(Policy policy) {
        return !limitable || policy.allows(address);
    }

    /**
     * False if it has state that cannot be passed on, such as the keys of TLS, pending answers or that of a decoder other than
     * {@link Framer}: it is closed, and the client connects again.
     */
    boolean isPassable() {
        return decoder instanceof Framer && listener.tls == null && !listener.isProxy(peer);
    }

    /** True if its client waits for answers, and keeps messages until then. */
    boolean isRelp() {
        return answers != null;
    }

    /** True if answers are pending. */
    boolean awaitsAnswers() {
        return answers != null && !answers.isEmpty();
    }

    /** True if so many answers are pending that no further command is taken. */
    boolean isBlocked() {
        return answers != null && answers.isFull();
    }

    /** Writes the answers that are due, unless the client does not read the earlier ones. */
    void answer(long safeBatches) {
        if (answers == null || !answers.isDue(safeBatches) || !channel.isWritable()) {
            return;
        }
        while (answers.isDue(safeBatches) && channel.isWritable()) {
            ByteBuf out = channel.alloc().ioBuffer(answers.maxBytes());
            int messages = answers.write(safeBatches, out);
            listener.counters.add(StreamCounter.ACKNOWLEDGED, messages);
            if (answers.isEnded()) {
                var unused = channel.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
            } else {
                var unused = channel.writeAndFlush(out, channel.voidPromise());
            }
        }
    }

    /** Takes no further command: what was read and has no answer, and what is still to come, is skipped. */
    void takeNothing(RemainderPool pool) {
        abandon(pool);
        var unused = decoder.end((memory, offset, length, originalLength, marks) -> false);
        resume();
        updateReading();
    }

    /** Tells the client of an open RELP session that the server closes. */
    void sayServerClose() {
        if (answers != null && channel.isActive() && answers.isOpen()) {
            ByteBuf out = channel.alloc().ioBuffer();
            answers.writeServerClose(out);
            var unused = channel.writeAndFlush(out, channel.voidPromise());
        }
    }

    /** Charges its rate limit for its next message, once; false if the limit does not let the message pass now. */
    boolean charge(Policy policy, int bytes, long timeNs) {
        charged = charged || !limitable || policy.charges(ipv6, high, low, bytes, timeNs);
        return charged;
    }

    /** Its message has a place: the next one is charged again. */
    void placed() {
        charged = false;
    }

    /** True if it has pending answers and is not in the list of those yet, which it is from now on. */
    boolean beginsAnswering() {
        boolean begins = !answering && awaitsAnswers();
        answering |= begins;
        return begins;
    }

    /** It leaves the list of those with pending answers. */
    void endAnswering() {
        answering = false;
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

    /** The memory of its TLS handshake changes. */
    void handshake(int bytes) {
        int now = hasEnded() ? 0 : bytes;
        connections.memory.handshake(now - handshakeBytes);
        handshakeBytes = now;
    }

    /** Its TLS begins with so many bytes that were read. */
    void tlsBegins(int bytes) {
        beforeTls = SharedReadBuffer.readBytes(channel) - bytes;
    }

    /** The memory of what it has begun and not finished. */
    long heldBytes() {
        ChannelOutboundBuffer unwritten = channel.unsafe().outboundBuffer();
        return backlog.capacity()
                + decoder.memoryBytes()
                + (handshakeBytes > 0 ? handshakeBytes : undecryptedBytes())
                + (answers == null ? 0 : answers.memoryBytes())
                + (unwritten == null ? 0 : unwritten.totalPendingWriteBytes());
    }

    private long undecryptedBytes() {
        long decrypted = listener.tls == null ? -1 : TlsServer.decryptedBytes(channel.pipeline());
        long undecrypted = decrypted < 0 ? 0 : SharedReadBuffer.readBytes(channel) - beforeTls - decrypted;
        return undecrypted <= 0 ? 0 : undecrypted + SharedReadBuffer.SEPARATE_READ_BYTES;
    }

    /** Says what in its stream cannot be understood. */
    private void reportError() {
        String error = decoder.takeError();
        if (error != null) {
            StreamCounter reason = !decoder.isBroken()
                    ? StreamCounter.FRAMING_ERRORS
                    : isRelp() ? StreamCounter.CLOSED_RELP_FRAME : StreamCounter.CLOSED_FRAMING;
            listener.notice(reason, address, error);
        }
    }

    /** Says that it is closed because it holds much memory. */
    void reportMemory() {
        listener.notice(
                StreamCounter.CLOSED_MEMORY,
                address,
                "unfinished messages of all connections take all the memory for them, and it holds " + heldBytes()
                        + " bytes and finishes none");
    }

    boolean hasBacklog() {
        return backlogTo > backlogFrom;
    }

    /** Passes on the messages in a piece of its stream; returns how far it was taken. */
    int take(ByteBuffer memory, int from, int to, FrameSink sink) {
        boolean isFresh = decoder.pending() == 0;
        long messages = listener.counts.messages;
        long errors = listener.counts.errors;
        int taken = decoder.take(memory, from, to, sink);
        if (isFresh || listener.counts.messages != messages) {
            unfinishedNs = lastReadNs;
        }
        if (listener.counts.errors != errors) {
            reportError();
        }
        return taken;
    }

    /** Offers a message that waits for what follows it, if nothing was read for a while; false if there is none, or no room. */
    boolean settle(FrameSink sink, long nowNs) {
        return !waits() && decoder.pending() > 0 && nowNs - lastReadNs > decoder.settleNs() && decoder.settle(sink);
    }

    /** Offers what was kept, and at the end of the connection the last message; false if it has no place yet. */
    boolean place(FrameSink sink, RemainderPool pool) {
        backlogFrom = take(backlog, backlogFrom, backlogTo, sink);
        if (hasBacklog()) {
            return false;
        }
        releaseBacklog(pool);
        return !hasEnded() || decoder.end(sink);
    }

    /**
     * Closes it here, for another process that continues with a duplicate of its socket, and with what was read and is not
     * journaled.
     *
     * @throws IOException if there is no free descriptor; it stays open then
     */
    PassedStream passOn(RemainderPool pool) throws IOException {
        // First, because it may fail.
        PassedStream duplicate = listener.duplicate((UnixChannel) channel);
        ByteArrayOutputStream state = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(state);
        int pending = ((Framer) decoder).save(out);
        byte[] bytes = new byte[backlogTo - backlogFrom];
        backlog.get(backlogFrom, bytes);
        out.writeInt(bytes.length);
        out.write(bytes);
        releaseBacklog(pool);
        // It counts as read in the process that journals it.
        listener.readBytes -= pending + bytes.length;
        end();
        endsBecause(StreamCounter.HANDED_OFF);
        var unused = channel.close();
        return duplicate.of(state.toByteArray(), pending + bytes.length);
    }

    /** Counts its end and releases its place, once everything that was read is journaled or passed on. */
    void forget() {
        handshake(0);
        listener.counters.add(closeReason, 1);
        listener.limits.release(peer);
    }

    private void releaseBacklog(RemainderPool pool) {
        pool.release(backlog);
        backlog = RemainderPool.NONE;
        backlogFrom = 0;
        backlogTo = 0;
    }

    /** Bytes that wait in the kernel, as far as it says. */
    int unreadBytes() {
        return channel instanceof UnixChannel unix && unix.fd().isOpen()
                ? LibC.unreadBytesOrNone(unix.fd().intValue())
                : 0;
    }

    /** Continues where another process was; returns how many bytes were read there and are not journaled. */
    int restore(DataInputStream in, RemainderPool pool) throws IOException {
        if (!(decoder instanceof Framer framer)) {
            throw new IOException("its input has multiline now");
        }
        int pending = framer.restore(in);
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        if (bytes.length > 0) {
            keep(ByteBuffer.wrap(bytes), 0, bytes.length, pool);
        }
        return pending + bytes.length;
    }

    /** Discards the backlog and counts it as skipped. */
    void abandon(RemainderPool pool) {
        listener.counts.skippedBytes += backlogTo - backlogFrom;
        releaseBacklog(pool);
        decoder.abandon();
    }
}
