package io.millrace.internal.transport.stream;

import io.millrace.collector.Multiline;
import io.millrace.collector.StreamCounter;
import io.millrace.collector.StreamSettings;
import io.millrace.collector.Successor.PassedStream;
import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.record.FrameSource;
import io.millrace.internal.tls.HandshakePacer;
import io.millrace.internal.tls.TlsHandshake;
import io.millrace.internal.tls.TlsServer;
import io.millrace.internal.transport.framing.Framer;
import io.millrace.internal.transport.framing.MultilineDecoder;
import io.millrace.internal.transport.framing.RemainderPool;
import io.millrace.internal.transport.framing.StreamDecoder;
import io.millrace.internal.transport.proxy.ProxyHeader;
import io.millrace.internal.transport.relp.RelpAnswers;
import io.millrace.internal.transport.relp.RelpDecoder;
import io.millrace.journal.FrameTransport;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollSocketChannelConfig;
import io.netty.channel.unix.PeerCredentials;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes or refuses the connections of a listener. The loop's thread. */
final class StreamAcceptor extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(StreamAcceptor.class);

    /** Detects a peer that is gone within some seven minutes, instead of the kernel's two hours. */
    private static final int KEEPALIVE_IDLE_SECONDS = 300;

    private static final int SEND_BUFFER_BYTES = 64 << 10;
    private static final int KEEPALIVE_INTERVAL_SECONDS = 30;
    private static final int KEEPALIVE_PROBES = 4;

    /** So many bytes of answers wait for a client that does not read them; the other answers wait in less memory. */
    private static final WriteBufferWaterMark ANSWERS = new WriteBufferWaterMark(8 << 10, 16 << 10);

    /** Connections that are accepted before others are read: each may bring much to read at once. */
    private static final int MAX_ACCEPTS = 16;

    private final StreamConnections connections;
    private final StreamListener listener;
    private final SharedReadBuffer readBuffer;
    private final RemainderPool pool;
    private final HandshakePacer handshakes;
    private final FailureLog failures = new FailureLog(LOG);
    private final InetAddress loopback = InetAddress.getLoopbackAddress();
    private int accepts;

    StreamAcceptor(
            StreamConnections connections,
            StreamListener listener,
            SharedReadBuffer readBuffer,
            RemainderPool pool,
            HandshakePacer handshakes) {
        this.connections = connections;
        this.listener = listener;
        this.readBuffer = readBuffer;
        this.pool = pool;
        this.handshakes = handshakes;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ServerChannelRecvByteBufAllocator limit = new ServerChannelRecvByteBufAllocator();
        limit.maxMessagesPerRead(MAX_ACCEPTS);
        // On epoll, Netty would accept one connection per wake-up: it takes the descriptor for the length of a short
        // read.
        limit.respectMaybeMoreData(false);
        context.channel().config().setRecvByteBufAllocator(limit);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        listener.moreToAccept = accepts == MAX_ACCEPTS;
        accepts = 0;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        accepts++;
        Channel channel = (Channel) message;
        boolean local = listener.input.endpoint().transport().isLocal();
        if (!local && !(channel.remoteAddress() instanceof InetSocketAddress)) {
            // It was reset before it was accepted, so its address is unknown.
            listener.counters.add(StreamCounter.ACCEPTED, 1);
            listener.counters.add(StreamCounter.CLOSED_ERROR, 1);
            channel.unsafe().closeForcibly();
            return;
        }
        InetAddress address = local ? loopback : ((InetSocketAddress) channel.remoteAddress()).getAddress();
        StreamCounter refused =
                local || connections.policy().allows(address) ? take(address) : StreamCounter.REFUSED_DENIED;
        if (refused != null) {
            listener.counters.add(refused, 1);
            notice(refused, address);
            channel.unsafe().closeForcibly();
            return;
        }
        StreamConnection connection = connection(channel, address);
        addHandlers(connection);
        connections.opened(connection, StreamCounter.ACCEPTED);
        register(connection, context.channel().eventLoop());
    }

    private void notice(StreamCounter refused, InetAddress address) {
        if (refused == StreamCounter.REFUSED_PER_SOURCE) {
            listener.notice(
                    refused,
                    address,
                    "refused: it has as many connections as one source may have (maxConnectionsPerSource)");
        } else if (refused == StreamCounter.REFUSED_MAX) {
            listener.notice(refused, address, "refused: the input has maxConnections connections");
        } else if (refused == StreamCounter.REFUSED_DESCRIPTORS) {
            listener.notice(refused, address, "refused: the limit of open files leaves no more; see LimitNOFILE");
        }
    }

    private StreamConnection connection(Channel channel, InetAddress address) {
        StreamSettings settings = listener.input.settings();
        setOptions(channel.config(), listener.input.endpoint().transport().isLocal());
        RelpAnswers answers = listener.input.isRelp() ? new RelpAnswers() : null;
        return new StreamConnection(
                connections, listener, channel, source(channel), address, decoder(settings, answers), answers);
    }

    private StreamDecoder decoder(StreamSettings settings, @Nullable RelpAnswers answers) {
        int maxMessage = settings.get(StreamSettings.MAX_MESSAGE);
        if (answers != null) {
            return new RelpDecoder(maxMessage, pool, listener.counts, answers, connections::currentBatch);
        }
        Multiline multiline = settings.multiline();
        return multiline == null
                ? new Framer(settings.get(StreamSettings.FRAMING), maxMessage, pool, listener.counts)
                : new MultilineDecoder(multiline, maxMessage, pool, listener.counts);
    }

    /** Adds the handlers of a new connection to its pipeline, in the order of its bytes: PROXY header, TLS, messages. */
    private void addHandlers(StreamConnection connection) {
        ChannelPipeline pipeline = connection.channel.pipeline();
        TlsServer tls = listener.tls;
        boolean proxied = listener.isProxy(connection.peer);
        if (tls != null || proxied) {
            // These handlers keep what they have not decoded.
            connection.channel.config().setRecvByteBufAllocator(readBuffer.separate());
        }
        ConnectionSetup setup = new ConnectionSetup(connections, connection);
        if (proxied) {
            ProxyHeader.addTo(pipeline, setup);
        }
        if (tls != null) {
            pipeline.addLast(new TlsHandshake(tls, handshakes, setup));
        }
        pipeline.addLast(connection);
    }

    private void register(StreamConnection connection, EventLoop loop) {
        Channel channel = connection.channel;
        var unused = loop.register(channel).addListener(registered -> {
            if (!registered.isSuccess()) {
                channel.unsafe().closeForcibly();
                connections.close(connection, StreamCounter.CLOSED_ERROR);
            }
        });
    }

    /** Continues with connections of the previous process. They are not refused: they were accepted. */
    void adopt(List<PassedStream> passed, EventLoop loop) {
        for (PassedStream each : passed) {
            try {
                adopt(each, loop);
            } catch (IOException | RuntimeException e) {
                LOG.warn("A connection of the previous process cannot be continued and is closed: {}", e.getMessage());
            }
        }
    }

    private void adopt(PassedStream passed, EventLoop loop) throws IOException {
        boolean local = listener.input.endpoint().transport().isLocal();
        Channel channel =
                local ? new EpollDomainSocketChannel(passed.descriptor()) : new EpollSocketChannel(passed.descriptor());
        // Without an address it was reset meanwhile.
        InetAddress address = channel.remoteAddress() instanceof InetSocketAddress peer ? peer.getAddress() : loopback;
        byte[] state = Objects.requireNonNull(passed.state());
        try {
            StreamConnection connection = connection(channel, address);
            // The previous process has read the PROXY header, if there was one.
            channel.pipeline().addLast(connection);
            int pending = connection.restore(new DataInputStream(new ByteArrayInputStream(state)), pool);
            listener.limits.adopt(address);
            listener.readBytes += pending;
            connections.opened(connection, StreamCounter.ADOPTED);
            if (channel.isActive()) {
                register(connection, loop);
            } else {
                connection.endsBecause(StreamCounter.CLOSED_ERROR);
                channel.unsafe().closeForcibly();
                connections.end(connection);
            }
        } catch (IOException | RuntimeException e) {
            // Read there, and neither journaled there nor here.
            listener.readBytes += passed.pendingBytes();
            listener.counts.skippedBytes += passed.pendingBytes();
            channel.unsafe().closeForcibly();
            throw e;
        }
    }

    private @Nullable StreamCounter take(InetAddress address) {
        return switch (listener.limits.take(address)) {
            case TAKEN -> null;
            case NO_DESCRIPTORS -> StreamCounter.REFUSED_DESCRIPTORS;
            case TOO_MANY -> StreamCounter.REFUSED_MAX;
            case TOO_MANY_OF_SOURCE -> StreamCounter.REFUSED_PER_SOURCE;
        };
    }

    private FrameSource source(Channel channel) {
        FrameTransport transport = listener.input.endpoint().transport();
        if (channel.remoteAddress() instanceof InetSocketAddress peer) {
            return FrameSource.of(transport, listener.id, peer.getAddress(), peer.getPort());
        }
        if (channel instanceof EpollDomainSocketChannel unix) {
            try {
                PeerCredentials peer = unix.peerCredentials();
                int[] groups = peer.gids();
                return FrameSource.local(
                        transport, listener.id, peer.pid(), peer.uid(), groups.length > 0 ? groups[0] : -1);
            } catch (IOException e) {
                LOG.debug("The kernel does not say whose connection it is", e);
            }
        }
        return FrameSource.local(transport, listener.id);
    }

    private void setOptions(ChannelConfig config, boolean local) {
        config.setRecvByteBufAllocator(readBuffer);
        config.setWriteBufferWaterMark(ANSWERS);
        if (!local) {
            // Nothing but answers is sent: without a limit the kernel would keep megabytes for a client that reads
            // none.
            config.setOption(ChannelOption.SO_SNDBUF, SEND_BUFFER_BYTES);
            config.setOption(ChannelOption.SO_KEEPALIVE, true);
            if (config instanceof EpollSocketChannelConfig) {
                config.setOption(EpollChannelOption.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS);
                config.setOption(EpollChannelOption.TCP_KEEPINTVL, KEEPALIVE_INTERVAL_SECONDS);
                config.setOption(EpollChannelOption.TCP_KEEPCNT, KEEPALIVE_PROBES);
            }
        }
    }

    /** Accepting failed, mostly because there are no file descriptors left: try again later. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (FatalErrors.report(cause)) {
            return;
        }
        failures.report("Input " + listener.input.name() + " cannot accept a connection and tries again", cause);
        ChannelConfig config = context.channel().config();
        config.setAutoRead(false);
        var unused = context.channel()
                .eventLoop()
                .schedule(() -> config.setAutoRead(connections.accepts()), 1, TimeUnit.SECONDS);
    }
}
