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
 * Transmitter with a blocking connection per source, of TCP or of a Unix socket. Each message or batch is one write. A connection that
 * fails is opened again for the next write of its source. What was written to it before, and the receiver did not read, is lost
 * unnoticed.
 */
final class StreamTransmitter implements Transmitter {
    private static final int MAX_COUNT_BYTES = 12;

    private final SocketAddress[] targets;
    private final @Nullable InetSocketAddress[] locals;
    private final @Nullable SocketChannel[] channels;
    private final ByteBuffer[] frames;
    private final boolean counted;
    private final int messageBytes;

    private StreamTransmitter(
            SocketAddress[] targets, @Nullable InetSocketAddress[] locals, boolean counted, int messageBytes) {
        this.targets = targets;
        this.locals = locals;
        this.counted = counted;
        this.messageBytes = messageBytes;
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
     * @param messageBytes the length of each message of a batch; 0 without batches
     */
    static StreamTransmitter open(Endpoints endpoints, List<SocketAddress> to, boolean counted, int messageBytes)
            throws IOException {
        int sources = endpoints.sources();
        SocketAddress[] targets = new SocketAddress[sources];
        @Nullable InetSocketAddress[] locals = new InetSocketAddress[sources];
        for (int i = 0; i < sources; i++) {
            targets[i] = to.get(i % to.size());
            locals[i] = targets[i] instanceof UnixDomainSocketAddress ? null : endpoints.local(i);
        }
        StreamTransmitter transmitter = new StreamTransmitter(targets, locals, counted, messageBytes);
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
    public void send(int source, ByteBuffer messages) throws IOException {
        SocketChannel channel = channels[source];
        if (channel == null) {
            channel = connect(source);
            channels[source] = channel;
        }
        ByteBuffer framed = frame(source, messages);
        try {
            while (framed.hasRemaining()) {
                channel.write(framed);
            }
        } catch (IOException e) {
            channels[source] = null;
            channel.close();
            throw e instanceof ClosedByInterruptException ? e : new IOException(e.getMessage(), e);
        }
    }

    private ByteBuffer frame(int source, ByteBuffer messages) {
        int length = messages.remaining();
        int size = messageBytes == 0 ? length : messageBytes;
        int count = messageBytes == 0 ? 1 : length / messageBytes;
        int needed = length + count * MAX_COUNT_BYTES;
        if (frames[source].capacity() < needed) {
            // The next message may be longer; a batch is not.
            int larger = Math.min(2 * length, SendPlan.MAX_PAYLOAD_BYTES) + MAX_COUNT_BYTES;
            frames[source] = ByteBuffer.allocateDirect(messageBytes == 0 ? larger : needed);
        }
        ByteBuffer framed = frames[source].clear();
        int end = messages.limit();
        do {
            messages.limit(messages.position() + size);
            put(framed, messages);
            messages.limit(end);
        } while (messages.hasRemaining());
        return framed.flip();
    }

    private void put(ByteBuffer framed, ByteBuffer message) {
        if (counted) {
            framed.put((message.remaining() + " ").getBytes(StandardCharsets.US_ASCII));
        }
        framed.put(message);
        if (!counted) {
            framed.put((byte) '\n');
        }
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
