package io.millrace.internal.transport.stream;

import io.millrace.collector.Counter;
import io.millrace.collector.NetworkSet;
import io.millrace.collector.StreamCounter;
import io.millrace.collector.StreamInput;
import io.millrace.collector.StreamSettings;
import io.millrace.collector.Successor.PassedStream;
import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.counters.SenderNotices;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.counters.StreamCells;
import io.millrace.internal.linux.LibC;
import io.millrace.internal.tls.TlsFailure;
import io.millrace.internal.tls.TlsServer;
import io.millrace.internal.transport.framing.FramingCounts;
import io.netty.channel.Channel;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A bound listening socket of an input in a shard, with what its connections have in common. */
public final class StreamListener {
    private static final Logger LOG = LoggerFactory.getLogger(StreamListener.class);
    final StreamInput input;
    final int id;
    final ServerChannel channel;
    final ConnectionLimits limits;
    final StreamCells counters;
    final @Nullable TlsServer tls;
    final FramingCounts counts = new FramingCounts();
    /** For each failure at most one line per minute, whoever tries how often. */
    private final Map<TlsFailure, FailureLog> refusals = new EnumMap<>(TlsFailure.class);
    /** How long a connection may be idle; 0 for no limit. */
    final long idleNs;

    long readBytes;
    /** The last turn ended at its limit, so more connections may wait to be accepted. */
    boolean moreToAccept;

    /** {@code sockaddr_un}, the longest address. */
    private static final int ADDRESS_BYTES = 128;

    private final @Nullable NetworkSet proxies;
    private final SenderNotices notices;
    private final int shard;
    private @Nullable SocketFile file;
    private List<PassedStream> passed = List.of();
    private boolean registered;
    private long publishedRead;
    private long publishedPayload;
    private long publishedFraming;
    private long publishedSkipped;

    StreamListener(
            StreamInput input,
            int id,
            int shard,
            ServerChannel channel,
            ConnectionLimits limits,
            StreamCells counters,
            SenderNotices notices,
            @Nullable SocketFile file,
            @Nullable TlsServer tls) {
        this.input = input;
        this.id = id;
        this.shard = shard;
        this.channel = channel;
        this.limits = limits;
        this.counters = counters;
        this.file = file;
        this.tls = tls;
        this.notices = notices;
        this.proxies = input.settings().proxies().isEmpty()
                ? null
                : NetworkSet.of(input.settings().proxies(), List.of());
        this.idleNs = input.settings().get(StreamSettings.IDLE_TIMEOUT).toNanos();
    }

    /** Its counters. Any thread. */
    public StreamCells counters() {
        return counters;
    }

    /** True if connections may wait to be accepted at one of them. */
    static boolean anyHasMore(List<StreamListener> listeners) {
        for (int i = 0; i < listeners.size(); i++) {
            if (listeners.get(i).moreToAccept) {
                return true;
            }
        }
        return false;
    }

    /** Receives its connections of the previous process, for {@link #takePassed}. */
    void passed(List<PassedStream> connections) {
        passed = connections;
    }

    /** Its connections of the previous process, which are the caller's from now on. */
    List<PassedStream> takePassed() {
        List<PassedStream> taken = passed;
        passed = List.of();
        return taken;
    }

    /** A duplicate for another process, with which that continues to accept. */
    PassedStream passOn() throws IOException {
        PassedStream duplicate = duplicate((UnixChannel) channel);
        // The file is that of the other process now.
        file = null;
        return duplicate;
    }

    /** A duplicate of a socket of the input, without the state of a connection. */
    PassedStream duplicate(UnixChannel socket) throws IOException {
        int descriptor = LibC.duplicate(socket.fd().intValue());
        return new PassedStream(descriptor, input.endpoint().toString(), shard, null, 0);
    }

    /**
     * Counts the bytes of connections that could not be passed to another process: read bytes as skipped, unread bytes
     * as after the stop.
     */
    void lost(List<PassedStream> streams, ShardCells ofShard) {
        for (PassedStream stream : streams) {
            if (stream.isConnection()
                    && stream.endpoint().equals(input.endpoint().toString())) {
                readBytes += stream.pendingBytes();
                counts.skippedBytes += stream.pendingBytes();
                int unread = LibC.unreadBytesOrNone(stream.descriptor());
                ofShard.add(Counter.AFTER_STOP_BYTES, unread);
                counters.add(StreamCounter.AFTER_STOP_BYTES, unread);
            }
        }
    }

    /** Says why a connection did not become one of TLS, and what to do. */
    void refused(TlsFailure failure, String peer, String reason) {
        boolean unused = notices.add(failure.counter(), peer, System.nanoTime());
        refusals.computeIfAbsent(failure, none -> new FailureLog(LOG))
                .report("Input {} refuses a connection from {}: {}", input.name(), peer, reason);
    }

    /** True if a connection from there begins with a header of the PROXY protocol. */
    boolean isProxy(InetAddress address) {
        NetworkSet networks = proxies;
        if (networks == null) {
            return false;
        }
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        boolean ipv6 = bytes.capacity() == 2 * Long.BYTES;
        return networks.allows(
                ipv6,
                ipv6 ? bytes.getLong(0) : (long) bytes.getInt(0) << Integer.SIZE,
                ipv6 ? bytes.getLong(Long.BYTES) : 0);
    }

    /** Says why the connection of a proxy was closed, and what to do. */
    void badProxyHeader(InetAddress proxy, String reason) {
        notice(
                StreamCounter.CLOSED_PROXY_HEADER,
                proxy,
                "its PROXY header cannot be read (" + reason
                        + "); configure the PROXY protocol there (HAProxy: send-proxy-v2),"
                        + " or take it out of proxyProtocol here");
    }

    /** Takes note of something that a sender does, and logs it unless there was much of it in the last minute. */
    void notice(StreamCounter reason, InetAddress sender, String text) {
        String address = input.endpoint().transport().isLocal() ? "local" : sender.getHostAddress();
        if (notices.add(reason, address, System.nanoTime())) {
            LOG.warn("Input {}, connection from {}: {}", input.name(), address, text);
        }
    }

    /** Takes note that an event loop has it, which closes it. */
    void registered() {
        registered = true;
    }

    /** Adds what framers have counted to the counters. */
    void publish(ShardCells shard) {
        if (readBytes == publishedRead
                && counts.payloadBytes == publishedPayload
                && counts.framingBytes == publishedFraming
                && counts.skippedBytes == publishedSkipped) {
            return;
        }
        shard.add(Counter.STREAM_READ_BYTES, readBytes - publishedRead);
        shard.add(Counter.STREAM_PAYLOAD_BYTES, counts.payloadBytes - publishedPayload);
        shard.add(Counter.STREAM_FRAMING_BYTES, counts.framingBytes - publishedFraming);
        shard.add(Counter.STREAM_SKIPPED_BYTES, counts.skippedBytes - publishedSkipped);
        publishedRead = readBytes;
        publishedPayload = counts.payloadBytes;
        publishedFraming = counts.framingBytes;
        publishedSkipped = counts.skippedBytes;
        counters.set(StreamCounter.READ_BYTES, readBytes);
        counters.set(StreamCounter.MESSAGES, counts.messages);
        counters.set(StreamCounter.TRUNCATED, counts.truncated);
        counters.set(StreamCounter.INCOMPLETE, counts.incomplete);
        counters.set(StreamCounter.FRAMING_ERRORS, counts.errors);
        counters.set(StreamCounter.PAYLOAD_BYTES, counts.payloadBytes);
        counters.set(StreamCounter.FRAMING_BYTES, counts.framingBytes);
        counters.set(StreamCounter.SKIPPED_BYTES, counts.skippedBytes);
    }

    /** Accepts the connections that wait in the kernel: the close would reset them. On epoll only; the loop's thread. */
    void acceptQueued() throws IOException {
        if (!(channel instanceof UnixChannel unix) || !registered || !unix.fd().isOpen()) {
            return;
        }
        Socket socket = LinuxSocket.newSocket(unix.fd().intValue());
        byte[] peer = new byte[ADDRESS_BYTES];
        for (int i = 0; i < StreamListeners.BACKLOG; i++) {
            int accepted = socket.accept(peer);
            if (accepted < 0) {
                return;
            }
            Channel child = input.endpoint().transport().isLocal()
                    ? new EpollDomainSocketChannel(accepted)
                    : new EpollSocketChannel(accepted);
            channel.pipeline().fireChannelRead(child);
        }
    }

    /** Closes it. The loop's thread, or before it was registered any. */
    void close() throws IOException {
        if (registered) {
            var unused = channel.close();
        } else {
            channel.unsafe().closeForcibly();
        }
        PassedStream.close(takePassed());
        if (file != null) {
            file.remove();
        }
    }
}
