package io.millrace.bench.trial;

import io.millrace.bench.host.SocketState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * Probe for the capacity of a receive buffer in datagrams: it fills one that is not read. The kernel charges its own memory
 * per datagram, many times a small payload, so the capacity does not follow from the size in bytes.
 */
public final class BufferProbe {
    private static final int MAX_DATAGRAMS = 4_000_000;
    private static final int DATAGRAMS_PER_CHECK = 64;

    private BufferProbe() {}

    /**
     * Fills a buffer.
     *
     * @param receiveBufferBytes the requested size, without the kernel's doubling
     * @param size bytes per payload
     * @return the number of datagrams in it when the first was dropped, accurate to about 100
     */
    public static long datagrams(int receiveBufferBytes, int size) throws IOException {
        try (DatagramChannel receiver = DatagramChannel.open(StandardProtocolFamily.INET);
                DatagramChannel sender = DatagramChannel.open(StandardProtocolFamily.INET)) {
            receiver.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
            receiver.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            sender.connect(receiver.getLocalAddress());
            int port = ((InetSocketAddress) receiver.getLocalAddress()).getPort();
            ByteBuffer payload = ByteBuffer.allocateDirect(size);
            long sent = 0;
            long drops = 0;
            while (drops == 0 && sent < MAX_DATAGRAMS) {
                for (int i = 0; i < DATAGRAMS_PER_CHECK; i++, sent++) {
                    payload.clear();
                    sender.write(payload);
                }
                drops = SocketState.of(port).drops();
            }
            return sent - drops;
        }
    }
}
