package io.millrace.bench.trial;

import io.millrace.bench.subject.SocketState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * Finds out how many datagrams a receive buffer holds, by filling one that nobody reads. The kernel counts its own
 * memory for each datagram, many times a small payload, so the size in bytes does not tell.
 */
public final class BufferProbe {
    private static final int MOST = 4_000_000;
    private static final int BETWEEN_LOOKS = 64;

    private BufferProbe() {}

    /**
     * Fills a buffer.
     *
     * @param receiveBufferBytes what to ask for, the kernel's doubling not counted
     * @param size bytes of each payload
     * @return how many datagrams were in it when the first was dropped, to within a hundred or so
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
            while (drops == 0 && sent < MOST) {
                for (int i = 0; i < BETWEEN_LOOKS; i++, sent++) {
                    payload.clear();
                    sender.write(payload);
                }
                drops = SocketState.of(port).drops();
            }
            return sent - drops;
        }
    }
}
