package io.millrace.output.internal.forward;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.time.Duration;

/**
 * Connection over UDP, RFC 5426. The channel is connected, so the kernel reports a port without a listener (ICMP) at
 * the next call.
 */
final class UdpConnection implements SyslogConnection {
    private final DatagramChannel channel;
    private final InetAddress server;
    private final Readiness readiness;
    private final long timeoutNs;
    private final ByteBuffer ignored = ByteBuffer.allocateDirect(1024);

    private UdpConnection(DatagramChannel channel, InetAddress server, Readiness readiness, Duration timeout) {
        this.channel = channel;
        this.server = server;
        this.readiness = readiness;
        this.timeoutNs = timeout.toNanos();
    }

    static UdpConnection open(String host, int port, Duration timeout) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        try {
            InetAddress server = InetAddress.getByName(host);
            channel.connect(new InetSocketAddress(server, port));
            if (TcpConnection.isItself(channel)) {
                throw new IOException("no server listens on this port");
            }
            return new UdpConnection(channel, server, new Readiness(channel), timeout);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public void send(byte[] bytes, int begin, int end) throws IOException, InterruptedException {
        ByteBuffer datagram = ByteBuffer.wrap(bytes, begin, end - begin);
        long endNs = System.nanoTime() + timeoutNs;
        try {
            // A non-blocking channel writes a whole datagram or nothing; for an empty one the result is the same.
            while (channel.write(datagram) == 0 && end > begin) {
                if (!readiness.await(SelectionKey.OP_WRITE, endNs)) {
                    throw new IOException("the network accepts no datagrams");
                }
            }
        } catch (PortUnreachableException e) {
            throw unreachable(e);
        }
    }

    @Override
    public void check() throws IOException {
        try {
            int reads = 0;
            do {
                ignored.clear();
                reads++;
            } while (channel.read(ignored) > 0 && reads < TcpConnection.MAX_READS);
        } catch (PortUnreachableException e) {
            throw unreachable(e);
        }
    }

    private static IOException unreachable(PortUnreachableException e) {
        return new IOException("no server listens on this port (ICMP port unreachable)", e);
    }

    @Override
    public InetAddress server() {
        return server;
    }

    @Override
    public void finish() {
        close();
    }

    @Override
    public void close() {
        TcpConnection.closeQuietly(readiness);
        TcpConnection.closeQuietly(channel);
    }
}
