package io.millrace.bench.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SocketStateTest {
    @Test
    void showsQueuedBytesAndDrops() throws IOException, InterruptedException {
        try (DatagramChannel receiver = DatagramChannel.open(StandardProtocolFamily.INET);
                DatagramChannel sender = DatagramChannel.open(StandardProtocolFamily.INET)) {
            receiver.setOption(StandardSocketOptions.SO_RCVBUF, 8192);
            receiver.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) receiver.getLocalAddress()).getPort();
            assertThat(SocketState.of(port)).isEqualTo(new SocketState(1, 0, 0));
            int sent = 1000;
            sender.connect(receiver.getLocalAddress());
            for (int i = 0; i < sent; i++) {
                sender.write(ByteBuffer.allocate(100));
            }
            SocketState full = SocketState.of(port);
            receiver.configureBlocking(false);
            int received = 0;
            while (receiver.receive(ByteBuffer.allocate(200)) != null) {
                received++;
            }
            assertThat(full.queuedBytes()).isPositive();
            assertThat(received + full.drops()).isEqualTo(sent);
            OptionalLong granted = SocketState.grantedBytes(port);
            if (Programs.find("ss").isPresent()) {
                assertThat(granted.orElseThrow()).isBetween(8192L, 4 * 8192L);
            }
        }
    }

    @Test
    void portWithoutSocketsHasNone() throws IOException {
        assertThat(SocketState.of(1).sockets()).isZero();
    }
}
