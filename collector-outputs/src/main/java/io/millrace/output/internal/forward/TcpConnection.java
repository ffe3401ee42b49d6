package io.millrace.output.internal.forward;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Connection over TCP, RFC 6587; also below TLS. */
final class TcpConnection implements SyslogConnection {
    /** The JDK copies writes into native memory of this size, which it keeps. */
    private static final int MAX_WRITE_BYTES = 64 << 10;

    /** The maximum number of reads of server data at a time: an endless stream must not block the output. */
    static final int MAX_READS = 64;

    private static final long FINISH_NS = TimeUnit.SECONDS.toNanos(1);

    private final SocketChannel channel;
    private final InetAddress server;
    private final Readiness readiness;
    private final long timeoutNs;
    private final ByteBuffer ignored = ByteBuffer.allocateDirect(4096);

    private TcpConnection(SocketChannel channel, InetAddress server, Readiness readiness, Duration timeout) {
        this.channel = channel;
        this.server = server;
        this.readiness = readiness;
        this.timeoutNs = timeout.toNanos();
    }

    /**
     * Connects to the first address of a host that accepts.
     *
     * @param endNs the time limit, by {@link System#nanoTime}
     * @param timeout the later time limit without progress in sending
     */
    static TcpConnection open(String host, int port, long endNs, Duration timeout)
            throws IOException, InterruptedException {
        IOException failure = null;
        InetAddress[] addresses = InetAddress.getAllByName(host);
        for (int i = 0; i < addresses.length; i++) {
            long now = System.nanoTime();
            // The remaining time is divided among the remaining addresses.
            long partNs = Math.max(0, endNs - now) / (addresses.length - i);
            try {
                return open(new InetSocketAddress(addresses[i], port), now + partNs, timeout);
            } catch (IOException e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        throw failure == null ? new IOException("the host has no address") : failure;
    }

    private static TcpConnection open(InetSocketAddress address, long endNs, Duration timeout)
            throws IOException, InterruptedException {
        SocketChannel channel = SocketChannel.open();
        TcpConnection connection = null;
        boolean connected = false;
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            connection = new TcpConnection(channel, address.getAddress(), new Readiness(channel), timeout);
            connected = channel.connect(address);
            while (!connected) {
                if (!connection.readiness.await(SelectionKey.OP_CONNECT, endNs)) {
                    throw new IOException("the connection timed out");
                }
                connected = channel.finishConnect();
            }
            connected = !isItself(channel);
            if (!connected) {
                throw new IOException("no server listens on this port");
            }
            return connection;
        } finally {
            if (!connected) {
                closeQuietly(connection == null ? channel : connection);
            }
        }
    }

    /**
     * True if a connection is connected to itself. That happens, rarely, if a local ephemeral port has no server. Sent
     * data would return and seem delivered.
     */
    static boolean isItself(NetworkChannel channel) throws IOException {
        SocketAddress remote = channel instanceof SocketChannel stream
                ? stream.getRemoteAddress()
                : ((DatagramChannel) channel).getRemoteAddress();
        return Objects.equals(channel.getLocalAddress(), remote);
    }

    /** Closes and ignores errors. */
    static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException alreadyBroken) {
            // It is closed.
        }
    }

    @Override
    public void send(byte[] bytes, int begin, int end) throws IOException, InterruptedException {
        for (int i = begin; i < end; i += MAX_WRITE_BYTES) {
            write(ByteBuffer.wrap(bytes, i, Math.min(MAX_WRITE_BYTES, end - i)));
        }
    }

    @Override
    public InetAddress server() {
        return server;
    }

    /** Writes all bytes, as long as there is progress within the time limit. */
    void write(ByteBuffer from) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + timeoutNs;
        while (from.hasRemaining()) {
            if (channel.write(from) > 0) {
                endNs = System.nanoTime() + timeoutNs;
            } else if (!readiness.await(SelectionKey.OP_WRITE, endNs)) {
                throw new IOException(
                        "it has accepted no data for " + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
            }
        }
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        int count = channel.read(to);
        if (count < 0) {
            throw new EOFException("it has closed the connection");
        }
        return count;
    }

    @Override
    public boolean awaitReadable(long endNs) throws IOException, InterruptedException {
        return readiness.await(SelectionKey.OP_READ, endNs);
    }

    @Override
    public void check() throws IOException {
        for (int i = 0; i < MAX_READS; i++) {
            ignored.clear();
            if (read(ignored) == 0) {
                return;
            }
        }
    }

    /**
     * Ends the sending direction, and waits for the server to do the same. A socket closed with unread data resets the
     * connection, and the server may then lose data it has not read.
     */
    @Override
    public void finish() throws IOException, InterruptedException {
        try {
            channel.shutdownOutput();
            long endNs = System.nanoTime() + FINISH_NS;
            do {
                check();
            } while (awaitReadable(endNs));
        } catch (EOFException expected) {
            // The server has read everything.
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        closeQuietly(readiness);
        closeQuietly(channel);
    }
}
