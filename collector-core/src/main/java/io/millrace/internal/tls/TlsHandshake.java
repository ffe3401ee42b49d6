package io.millrace.internal.tls;

import io.millrace.collector.Network;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The TLS handshake of a connection. With the first bytes it inserts the handler that decrypts; after the handshake it checks the client and
 * removes itself. A connection that sends nothing has no state of TLS. The loop's thread.
 */
public final class TlsHandshake extends ChannelInboundHandlerAdapter {
    private final TlsServer server;
    private final HandshakePacer pacer;
    private final Listener listener;
    private @Nullable Future<?> timeout;
    /** The first bytes, while they wait for their turn. */
    private @Nullable ByteBuf hello;

    private boolean begun;
    private boolean decided;

    /** Receives the result: one call of {@link #secured} or {@link #failed}. */
    public interface Listener {
        /** The handshake is done; later bytes are decrypted. */
        void secured(@Nullable String peer);

        /** The handshake failed, and the connection is to be closed. */
        void failed(TlsFailure failure, String reason);

        /** The network of the client: networks take turns. Asked with the first bytes. */
        Network network();

        /**
         * The handshake begins with so many bytes, and has memory until {@link #secured}, {@link #failed} or the end of the connection.
         */
        default void begins(int bytes) {}

        /** The handshake waits for its turn, with so many others of the network, and keeps so many bytes. */
        default void waits(int ofNetwork, int bytes) {}
    }

    /** Creates the handler of one connection. */
    public TlsHandshake(TlsServer server, HandshakePacer pacer, Listener listener) {
        this.server = server;
        this.pacer = pacer;
        this.listener = listener;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        startTimeout(context);
        context.fireChannelActive();
    }

    private void startTimeout(ChannelHandlerContext context) {
        timeout = context.executor()
                .schedule(
                        () -> fail(TlsFailure.TIMEOUT, TlsFailure.TIMEOUT.advice()),
                        server.settings().handshakeTimeout().toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private void stopTimeout() {
        if (timeout != null) {
            timeout.cancel(false);
            timeout = null;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (decided) {
            // The handshake has failed: these are not decrypted.
            bytes.release();
        } else if (hello != null) {
            // Netty reads the end of a connection, and the bytes before it, even with auto-read off.
            hello = context.alloc().compositeBuffer(2).addComponents(true, hello, bytes);
        } else if (begun) {
            // Nothing is decrypted before the end of the handshake, so it is about to fail.
            bytes.release();
        } else {
            begun = true;
            hello = bytes;
            int waiting = pacer.run(listener.network(), () -> begin(context), context.executor());
            if (hello != null) {
                // The buffer of a read is much larger.
                hello = context.alloc().heapBuffer(bytes.readableBytes()).writeBytes(bytes);
                bytes.release();
                // It waits because of this host, so its time limit does not count.
                stopTimeout();
                context.channel().config().setAutoRead(false);
                listener.waits(waiting, hello.capacity());
            }
        }
    }

    private void begin(ChannelHandlerContext context) {
        ByteBuf bytes = hello;
        hello = null;
        if (decided || bytes == null) {
            if (bytes != null) {
                bytes.release();
            }
            return;
        }
        boolean waited = timeout == null;
        listener.begins(bytes.readableBytes());
        try {
            SslHandler handler = server.newHandler();
            context.pipeline().addBefore(context.name(), "tls", handler);
            context.pipeline().addBefore("tls", "clock", new Clock());
            ChannelHandlerContext decrypting = context.pipeline().context(handler);
            handler.channelRead(decrypting, bytes.retain());
            if (waited && !decided) {
                // This is not within a read of the channel, whose end would send the answer.
                startTimeout(context);
                handler.channelReadComplete(decrypting);
                context.channel().config().setAutoRead(true);
            }
        } catch (Exception e) {
            failed(e);
        } finally {
            bytes.release();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (hello != null) {
            hello.release();
            hello = null;
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (!(event instanceof SslHandshakeCompletionEvent completion)) {
            context.fireUserEventTriggered(event);
            return;
        }
        if (!completion.isSuccess()) {
            failed(completion.cause());
            return;
        }
        try {
            String peer =
                    server.checkPeer(context.pipeline().get(SslHandler.class).engine());
            if (decide()) {
                listener.secured(peer);
                context.pipeline().remove(this);
                context.pipeline().remove(Clock.class);
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (isReset(cause) || cause instanceof Error) {
            // The client has gone, or this process failed, which is no failure of TLS.
            decide();
            context.fireExceptionCaught(cause);
        } else {
            failed(cause);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        decide();
        context.fireChannelInactive();
    }

    private void failed(Throwable cause) {
        if (cause instanceof ClosedChannelException || isReset(cause)) {
            decide();
            return;
        }
        TlsFailure failure = TlsFailure.of(cause);
        fail(failure, failure.advice() + failure.detail(cause));
    }

    /** True for an error of the socket. Errors of TLS are {@link SSLException}s, here or as the cause. */
    private static boolean isReset(Throwable cause) {
        return cause instanceof IOException
                && !(cause instanceof SSLException)
                && !(cause instanceof TlsFailure.NotAllowedException)
                && cause.getCause() == null;
    }

    private void fail(TlsFailure failure, String reason) {
        if (decide()) {
            listener.failed(failure, reason);
        }
    }

    /** True for the first call. */
    private boolean decide() {
        boolean first = !decided;
        decided = true;
        stopTimeout();
        return first;
    }

    /** Charges what follows the first bytes to the budget of handshakes. */
    private final class Clock extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            pacer.measure(() -> context.fireChannelRead(message));
        }
    }
}
