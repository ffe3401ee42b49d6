package io.millrace.sender.transmit;

import io.millrace.sender.schedule.SendPlan;
import io.millrace.sender.value.Text;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transmitter with a blocking connection per source, of TCP or of a Unix socket. Each message is one write. A connection that fails is
 * opened again for the next message of its source. What was written to it before, and the receiver did not read, is lost unnoticed.
 */
final class StreamTransmitter implements Transmitter {
    private static final int MAX_COUNT_BYTES = 12;

    private final SocketAddress[] targets;
    private final @Nullable InetSocketAddress[] locals;
    private final @Nullable SocketChannel[] channels;
    private final ByteBuffer[] frames;
    private final boolean counted;

    private StreamTransmitter(SocketAddress[] targets, @Nullable InetSocketAddress[] locals, boolean counted) {
        this.targets = targets;
        this.locals = locals;
        this.counted = counted;
        this.channels = new SocketChannel[targets.length];
        this.frames = new ByteBuffer[targets.length];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = ByteBuffer.allocate(0);
        }
    }

    /**
     * Connects all sources, or none.
     *
     * @param counted whether messages have an octet count; else each ends at a line feed
     */
    static StreamTransmitter open(Endpoints endpoints, List<SocketAddress> to, boolean counted) throws IOException {
        int sources = endpoints.sources();
        SocketAddress[] targets = new SocketAddress[sources];
        @Nullable InetSocketAddress[] locals = new InetSocketAddress[sources];
        for (int i = 0; i < sources; i++) {
            targets[i] = to.get(i % to.size());
            locals[i] = targets[i] instanceof UnixDomainSocketAddress ? null : endpoints.local(i);
        }
        StreamTransmitter transmitter = new StreamTransmitter(targets, locals, counted);
        for (int i = 0; i < sources; i++) {
            try {
                transmitter.channels[i] = transmitter.connect(i);
            } catch (IOException e) {
                transmitter.close();
                throw new IOException(
                        Text.format(
                                "cannot connect source %,d of %,d to %s: %s",
                                i + 1, sources, targets[i], e.getMessage()),
                        e);
            }
        }
        return transmitter;
    }

    private SocketChannel connect(int source) throws IOException {
        SocketChannel channel = targets[source] instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
        try {
            if (locals[source] != null) {
                channel.bind(locals[source]);
            }
            channel.connect(targets[source]);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void send(int source, ByteBuffer message) throws IOException {
        SocketChannel channel = channels[source];
        if (channel == null) {
            channel = connect(source);
            channels[source] = channel;
        }
        ByteBuffer frame = frame(source, message);
        try {
            while (frame.hasRemaining()) {
                channel.write(frame);
            }
        } catch (IOException e) {
            channels[source] = null;
            channel.close();
            throw e instanceof ClosedByInterruptException ? e : new IOException(e.getMessage(), e);
        }
    }

    private ByteBuffer frame(int source, ByteBuffer message) {
        int length = message.remaining();
        if (frames[source].capacity() < length + MAX_COUNT_BYTES) {
            frames[source] =
                    ByteBuffer.allocateDirect(Math.min(2 * length, SendPlan.MAX_PAYLOAD_BYTES) + MAX_COUNT_BYTES);
        }
        ByteBuffer frame = frames[source].clear();
        if (counted) {
            frame.put((length + " ").getBytes(StandardCharsets.US_ASCII));
        }
        frame.put(message);
        if (!counted) {
            frame.put((byte) '\n');
        }
        return frame.flip();
    }

    @Override
    public void collectErrors(int thread, int threads, SendCounts counts) {
        // A write reports what it knows.
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
