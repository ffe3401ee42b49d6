package io.millrace.bench.reference;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** Receiver with a non-blocking {@link DatagramChannel}: reads until it is empty, then waits in a selector. */
final class ChannelReceiver extends ReferenceReceiver {
    private final DatagramChannel channel;
    private final Selector selector;
    private final int maxDatagramBytes;
    private final Thread thread = new Thread(this::run, "reference-receive");
    private volatile boolean stopping;

    private ChannelReceiver(DatagramChannel channel, Selector selector, int maxDatagramBytes, LineSink sink) {
        super(sink);
        this.channel = channel;
        this.selector = selector;
        this.maxDatagramBytes = maxDatagramBytes;
    }

    static ChannelReceiver open(ReferenceSettings settings, LineSink sink) throws IOException {
        boolean ipv6 = settings.listen().getAddress() instanceof Inet6Address;
        DatagramChannel channel =
                DatagramChannel.open(ipv6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.receiveBufferBytes());
            channel.bind(settings.listen());
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new ChannelReceiver(channel, selector, settings.maxDatagramBytes(), sink);
        } catch (IOException e) {
            channel.close();
            throw bindFailure(settings.listen(), e);
        }
    }

    @Override
    void begin() {
        thread.start();
    }

    private void run() {
        ByteBuffer payload = ByteBuffer.allocateDirect(maxDatagramBytes);
        while (!stopping) {
            try {
                selector.select();
                selector.selectedKeys().clear();
            } catch (IOException e) {
                onError(e);
            }
            while (!stopping && receive(payload)) {
                // Until it is empty.
            }
        }
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < DRAIN_LIMIT_NS && receive(payload)) {
            // The final drain.
        }
    }

    /** Reads one datagram; false if there was none. */
    private boolean receive(ByteBuffer payload) {
        try {
            InetSocketAddress source = (InetSocketAddress) channel.receive(payload.clear());
            if (source == null) {
                return false;
            }
            onDatagram(payload.flip(), source.getAddress());
        } catch (IOException e) {
            onError(e);
        }
        return channel.isOpen();
    }

    @Override
    void drain() throws IOException, InterruptedException {
        stopping = true;
        selector.wakeup();
        thread.join(JOIN_LIMIT_MS);
        abandon();
    }

    @Override
    void abandon() throws IOException {
        try (channel) {
            selector.close();
        }
    }

    @Override
    public int localPort() {
        return channel.socket().getLocalPort();
    }

    @Override
    public int grantedReceiveBuffer() {
        try {
            return 2 * channel.getOption(StandardSocketOptions.SO_RCVBUF);
        } catch (IOException e) {
            return 0;
        }
    }
}
