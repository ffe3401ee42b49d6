package io.millrace.transport.stream;

import io.millrace.agent.FailureLog;
import io.millrace.counters.StreamCounter;
import io.millrace.record.FrameSource;
import io.millrace.record.FrameTransport;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannelConfig;
import io.netty.channel.unix.PeerCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes or refuses the connections of a listener. The loop's thread. */
final class StreamAcceptor extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(StreamAcceptor.class);

    /** Detects a peer that is gone within some seven minutes, instead of the kernel's two hours. */
    private static final int KEEPALIVE_IDLE_SECONDS = 300;

    private static final int KEEPALIVE_INTERVAL_SECONDS = 30;
    private static final int KEEPALIVE_PROBES = 4;

    private final StreamConnections connections;
    private final StreamListener listener;
    private final SharedReadBuffer readBuffer;
    private final RemainderPool pool;
    private final FailureLog failures = new FailureLog(LOG);
    private final InetAddress loopback = InetAddress.getLoopbackAddress();

    StreamAcceptor(
            StreamConnections connections, StreamListener listener, SharedReadBuffer readBuffer, RemainderPool pool) {
        this.connections = connections;
        this.listener = listener;
        this.readBuffer = readBuffer;
        this.pool = pool;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel channel = (Channel) message;
        boolean local = listener.input.endpoint().transport().isLocal();
        if (!local && !(channel.remoteAddress() instanceof InetSocketAddress)) {
            // It was reset before it was accepted, and nobody knows whose it was.
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
            channel.unsafe().closeForcibly();
            return;
        }
        setOptions(channel.config(), local);
        StreamSettings settings = listener.input.settings();
        StreamConnection connection = new StreamConnection(
                connections,
                listener,
                channel,
                source(channel),
                address,
                new Framer(settings.framing(), settings.maxMessageBytes(), pool, listener.counts));
        channel.pipeline().addLast(connection);
        connections.opened(connection);
        var unused = context.channel().eventLoop().register(channel).addListener(registered -> {
            if (!registered.isSuccess()) {
                channel.unsafe().closeForcibly();
                connections.close(connection, StreamCounter.CLOSED_ERROR);
            }
        });
    }

    private @Nullable StreamCounter take(InetAddress address) {
        return switch (listener.limits.take(address)) {
            case TAKEN -> null;
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
        if (!local) {
            config.setOption(ChannelOption.SO_KEEPALIVE, true);
            if (config instanceof EpollSocketChannelConfig) {
                config.setOption(EpollChannelOption.TCP_KEEPIDLE, KEEPALIVE_IDLE_SECONDS);
                config.setOption(EpollChannelOption.TCP_KEEPINTVL, KEEPALIVE_INTERVAL_SECONDS);
                config.setOption(EpollChannelOption.TCP_KEEPCNT, KEEPALIVE_PROBES);
            }
        }
    }

    /** Accepting failed, mostly for want of file descriptors: it is tried again after a while. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failures.report("Input " + listener.input.name() + " cannot accept a connection and tries again", cause);
        ChannelConfig config = context.channel().config();
        config.setAutoRead(false);
        var unused = context.channel().eventLoop().schedule(() -> config.setAutoRead(true), 1, TimeUnit.SECONDS);
    }
}
