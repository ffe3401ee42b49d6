package io.millrace.bench.reference;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Receiver with a Netty datagram channel and a handler in its pipeline, on one event loop, as in Netty's user guide. */
final class NettyReceiver extends ReferenceReceiver {
    /** The maximum number of datagrams per {@code recvmmsg}. */
    private static final int MAX_DATAGRAMS_PER_CALL = 64;

    /** Without this Netty makes one call per wake-up. */
    private static final int MAX_MESSAGES_PER_WAKE_UP = 256;

    private static final long QUIET_MS = 20;

    private final EventLoopGroup group;
    private final Channel channel;

    private NettyReceiver(ReferenceSettings settings, LineSink sink, IoHandlerFactory handlers, Bootstrap bootstrap)
            throws IOException {
        super(sink);
        group = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("reference-receive"), handlers);
        try {
            channel = bootstrap
                    .group(group)
                    .option(ChannelOption.SO_RCVBUF, settings.receiveBufferBytes())
                    .option(ChannelOption.AUTO_READ, false)
                    .handler(new Handler())
                    .bind(settings.listen())
                    .syncUninterruptibly()
                    .channel();
        } catch (Exception e) {
            shutDown();
            throw bindFailure(settings.listen(), e);
        }
    }

    /** Reads with {@code recvmmsg}, as many datagrams per call as fit the buffer at the longest length. */
    static NettyReceiver openEpoll(ReferenceSettings settings, LineSink sink) throws IOException {
        int max = settings.maxDatagramBytes();
        Bootstrap bootstrap = new Bootstrap()
                .channel(EpollDatagramChannel.class)
                .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, max)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(MAX_DATAGRAMS_PER_CALL * max)
                                .maxMessagesPerRead(MAX_MESSAGES_PER_WAKE_UP));
        return new NettyReceiver(settings, sink, EpollIoHandler.newFactory(), bootstrap);
    }

    /** Reads with {@code recvmsg} requests on an io_uring, one per datagram. */
    static NettyReceiver openIoUring(ReferenceSettings settings, LineSink sink) throws IOException {
        Bootstrap bootstrap = new Bootstrap()
                .channel(IoUringDatagramChannel.class)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(settings.maxDatagramBytes())
                                .maxMessagesPerRead(MAX_MESSAGES_PER_WAKE_UP));
        return new NettyReceiver(settings, sink, IoUringIoHandler.newFactory(), bootstrap);
    }

    /** Runs on the event loop. */
    private final class Handler extends SimpleChannelInboundHandler<DatagramPacket> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
            onDatagram(packet.content().nioBuffer(), packet.sender().getAddress());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            onError(new IOException(cause.toString(), cause));
        }
    }

    @Override
    void begin() {
        channel.config().setAutoRead(true);
    }

    /** The socket counts as empty when the event loop has received nothing for a while. */
    @Override
    void drain() throws IOException, InterruptedException {
        CountDownLatch empty = new CountDownLatch(1);
        long endNs = System.nanoTime() + DRAIN_LIMIT_NS;
        channel.eventLoop().execute(() -> awaitQuiet(-1, endNs, empty));
        try {
            empty.await(JOIN_LIMIT_MS, TimeUnit.MILLISECONDS);
        } finally {
            abandon();
        }
    }

    private void awaitQuiet(long receivedBefore, long endNs, CountDownLatch empty) {
        long now = received();
        if (now == receivedBefore || System.nanoTime() - endNs > 0) {
            empty.countDown();
        } else {
            var unused =
                    channel.eventLoop().schedule(() -> awaitQuiet(now, endNs, empty), QUIET_MS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    void abandon() {
        channel.close().syncUninterruptibly();
        shutDown();
    }

    private void shutDown() {
        group.shutdownGracefully(0, JOIN_LIMIT_MS, TimeUnit.MILLISECONDS).syncUninterruptibly();
    }

    @Override
    public int localPort() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    @Override
    public int grantedReceiveBuffer() {
        // Netty returns the value of the kernel.
        return channel.config().getOption(ChannelOption.SO_RCVBUF);
    }
}
