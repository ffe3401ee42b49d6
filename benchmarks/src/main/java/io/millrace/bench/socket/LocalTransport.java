package io.millrace.bench.socket;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** Ways between two processes of a host. */
enum LocalTransport {
    UNIX_STREAM("Unix stream", "unix://"),
    UNIX_DATAGRAM("Unix datagram", "unixgram://"),
    TCP("TCP on loopback", "tcp://"),
    UDP("UDP on loopback", "udp://");

    private static final int RECEIVE_BUFFER = 4 << 20;
    private static final long LOOK_NS = 20_000;

    private final String text;
    private final String scheme;

    LocalTransport(String text, String scheme) {
        this.text = text;
        this.scheme = scheme;
    }

    String text() {
        return text;
    }

    /** The scheme of an address of the service. */
    String scheme() {
        return scheme;
    }

    /** Two connected sockets. */
    interface Pair extends AutoCloseable {
        /** Sends a buffer, waiting for room. */
        void send(ByteBuffer message) throws IOException;

        /** Reads into the buffer; returns how many bytes, less than 0 at the end. Waits for them. */
        int receive(ByteBuffer buffer) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** Connects two sockets. */
    Pair open(Path directory) throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return switch (this) {
            case UNIX_STREAM -> {
                UnixDomainSocketAddress path = UnixDomainSocketAddress.of(directory.resolve("stream"));
                try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                    server.bind(path);
                    yield new Streams(SocketChannel.open(path), server.accept());
                }
            }
            case TCP -> {
                try (ServerSocketChannel server = ServerSocketChannel.open()) {
                    server.bind(any);
                    SocketChannel from = SocketChannel.open(server.getLocalAddress());
                    from.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    yield new Streams(from, server.accept());
                }
            }
            case UDP -> {
                DatagramChannel to = DatagramChannel.open(StandardProtocolFamily.INET);
                to.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
                to.bind(any);
                DatagramChannel from = DatagramChannel.open(StandardProtocolFamily.INET);
                from.connect(to.getLocalAddress());
                yield new Datagrams(from, to);
            }
            case UNIX_DATAGRAM -> {
                Epoll.ensureAvailability();
                DomainSocketAddress path =
                        new DomainSocketAddress(directory.resolve("datagrams").toString());
                LinuxSocket to = LinuxSocket.newSocketDomainDgram();
                to.bind(path);
                LinuxSocket from = LinuxSocket.newSocketDomainDgram();
                from.connect(path);
                yield new LocalDatagrams(from, to);
            }
        };
    }

    private record Streams(SocketChannel from, SocketChannel to) implements Pair {
        @Override
        public void send(ByteBuffer message) throws IOException {
            while (message.hasRemaining()) {
                from.write(message);
            }
        }

        @Override
        public int receive(ByteBuffer buffer) throws IOException {
            return to.read(buffer);
        }

        @Override
        public void close() throws IOException {
            from.close();
            to.close();
        }
    }

    private record Datagrams(DatagramChannel from, DatagramChannel to) implements Pair {
        @Override
        public void send(ByteBuffer message) throws IOException {
            from.write(message);
        }

        @Override
        public int receive(ByteBuffer buffer) throws IOException {
            return to.receive(buffer) == null ? 0 : buffer.position();
        }

        @Override
        public void close() throws IOException {
            from.close();
            to.close();
        }
    }

    /** Java has no channel for these, and Netty's sockets do not block: both ends look again every 20 µs. */
    private record LocalDatagrams(LinuxSocket from, LinuxSocket to) implements Pair {
        @Override
        public void send(ByteBuffer message) throws IOException {
            while (from.write(message, message.position(), message.limit()) <= 0) {
                LockSupport.parkNanos(LOOK_NS);
            }
        }

        @Override
        public int receive(ByteBuffer buffer) throws IOException {
            int count = to.read(buffer, buffer.position(), buffer.limit());
            while (count == 0) {
                if (Thread.currentThread().isInterrupted()) {
                    return -1;
                }
                LockSupport.parkNanos(LOOK_NS);
                count = to.read(buffer, buffer.position(), buffer.limit());
            }
            return count;
        }

        @Override
        public void close() throws IOException {
            from.close();
            to.close();
        }
    }
}
