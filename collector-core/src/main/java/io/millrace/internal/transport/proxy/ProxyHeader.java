package io.millrace.internal.transport.proxy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol.AddressFamily;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The header with which a proxy begins a connection: PROXY protocol, versions 1 and 2 (the specification of HAProxy, sections 2.1 and
 * 2.2). Once it is read this handler leaves. The loop's thread.
 */
public final class ProxyHeader extends ChannelInboundHandlerAdapter {
    /** A proxy sends it at once. */
    private static final long TIMEOUT_MS = 10_000;

    private final Listener listener;
    private @Nullable Future<?> timeout;
    private boolean decided;

    /** Learns what it says: one call of one method. */
    public interface Listener {
        void proxied(InetAddress client, int port);

        /** The connection is the proxy's own (command LOCAL), or one without an IP address. */
        void ownConnection();

        /** The connection ended before the end of a header, or without one. */
        void endedBeforeHeader();

        /** There is no header, or a broken one: the connection is to be closed. */
        void badProxyHeader(String reason);
    }

    private ProxyHeader(Listener listener) {
        this.listener = listener;
    }

    /** Adds what reads the header at the end of a pipeline. */
    public static void addTo(ChannelPipeline pipeline, Listener listener) {
        pipeline.addLast(new HAProxyMessageDecoder(), new ProxyHeader(listener));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        timeout = context.executor()
                .schedule(
                        () -> fail("no header within " + TIMEOUT_MS / 1000 + " s"), TIMEOUT_MS, TimeUnit.MILLISECONDS);
        context.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof HAProxyMessage header)) {
            context.fireChannelRead(message);
            return;
        }
        try {
            if (decide()) {
                accept(header);
                context.pipeline().remove(this);
            }
        } finally {
            header.release();
        }
    }

    private void accept(HAProxyMessage header) {
        AddressFamily family = header.proxiedProtocol().addressFamily();
        boolean ip = family == AddressFamily.AF_IPv4 || family == AddressFamily.AF_IPv6;
        if (header.command() == HAProxyCommand.LOCAL || !ip) {
            listener.ownConnection();
            return;
        }
        try {
            // The decoder takes literals only.
            InetAddress client =
                    InetAddress.getByAddress(NetUtil.createByteArrayFromIpAddressString(header.sourceAddress()));
            listener.proxied(client, header.sourcePort());
        } catch (UnknownHostException e) {
            listener.badProxyHeader("its source address is not an IP address: " + header.sourceAddress());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException || cause instanceof Error) {
            // The proxy has gone, or this process failed, which says nothing about its header.
            decide();
            context.fireExceptionCaught(cause);
            return;
        }
        Throwable reason = cause.getCause() == null ? cause : cause.getCause();
        fail(String.valueOf(reason.getMessage()));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (decide()) {
            listener.endedBeforeHeader();
        }
        context.fireChannelInactive();
    }

    private void fail(String reason) {
        if (decide()) {
            listener.badProxyHeader(reason);
        }
    }

    /** True for the first call. */
    private boolean decide() {
        boolean first = !decided;
        decided = true;
        if (timeout != null) {
            timeout.cancel(false);
        }
        return first;
    }
}
