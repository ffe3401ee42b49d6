package io.millrace.bench.powercut;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;

/** Sender over UDP, or over TCP with a line per message. */
final class ChannelSource extends Source {
    private final WritableByteChannel channel;
    private final boolean lines;
    private final MessageFormat format;
    private final ByteBuffer buffer = ByteBuffer.allocate(MAX_BATCH * (MessageFormat.BYTES + 1));

    private ChannelSource(
            int number, long rate, long limit, long beginMicros, MessageFormat format, WritableByteChannel channel) {
        super(number, rate, limit, beginMicros);
        this.format = format;
        this.channel = channel;
        this.lines = channel instanceof SocketChannel;
    }

    static ChannelSource tcp(int number, long rate, long limit, long beginMicros, MessageFormat format, int port)
            throws IOException {
        return new ChannelSource(number, rate, limit, beginMicros, format, SocketChannel.open(address(port)));
    }

    static ChannelSource udp(int number, long rate, long limit, long beginMicros, MessageFormat format, int port)
            throws IOException {
        return new ChannelSource(
                number, rate, limit, beginMicros, format, DatagramChannel.open().connect(address(port)));
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @Override
    void send(int first, int count) throws IOException {
        buffer.clear();
        for (int i = first; i < first + count; i++) {
            format.put(buffer, number(), i);
            if (lines) {
                buffer.put((byte) '\n');
            } else {
                write();
            }
        }
        if (lines) {
            write();
        }
    }

    private void write() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
    }
}
