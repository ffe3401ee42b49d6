package io.millrace.app.sink.syslog;

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

/** Syslog over TCP, RFC 6587; and what is below TLS. */
final class TcpConnection implements SyslogConnection {
    /** The JDK copies what it writes into native memory of this size, which it keeps. */
    private static final int MAX_WRITE_BYTES = 64 << 10;

    /** What a syslog server says is read so often at a time: one that does not stop must not keep its output. */
    static final int MAX_READS = 64;

    private static final long FINISH_NS = TimeUnit.SECONDS.toNanos(1);

    private final SocketChannel channel;
    private final Readiness readiness;
    private final long timeoutNs;
    private final ByteBuffer ignored = ByteBuffer.allocateDirect(4096);

    private TcpConnection(SocketChannel channel, Readiness readiness, Duration timeout) {
        this.channel = channel;
        this.readiness = readiness;
        this.timeoutNs = timeout.toNanos();
    }

    /**
     * Connects to the first address of a host that accepts it.
     *
     * @param endNs until when, by {@link System#nanoTime}
     * @param timeout how long the server may take nothing, later
     */
    static TcpConnection open(String host, int port, long endNs, Duration timeout)
            throws IOException, InterruptedException {
        IOException failure = null;
        InetAddress[] addresses = InetAddress.getAllByName(host);
        for (int i = 0; i < addresses.length; i++) {
            long now = System.nanoTime();
            // One that does not answer leaves the others their part of the time.
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
            connection = new TcpConnection(channel, new Readiness(channel), timeout);
            connected = channel.connect(address);
            while (!connected) {
                if (!connection.readiness.await(SelectionKey.OP_CONNECT, endNs)) {
                    throw new IOException("the connection was not made in time");
                }
                connected = channel.finishConnect();
            }
            connected = !isItself(channel);
            if (!connected) {
                throw new IOException("nobody listens on this port there");
            }
            return connection;
        } finally {
            if (!connected) {
                closeQuietly(connection == null ? channel : connection);
            }
        }
    }

    /**
     * True if the two ends of a connection are one: that happens, rarely, where a port of this host that the kernel hands out to
     * clients has no server at the time. What is sent would come back, and pass for delivered.
     */
    static boolean isItself(NetworkChannel channel) throws IOException {
        SocketAddress remote = channel instanceof SocketChannel stream
                ? stream.getRemoteAddress()
                : ((DatagramChannel) channel).getRemoteAddress();
        return Objects.equals(channel.getLocalAddress(), remote);
    }

    /** Closes what may already be broken: what it has to say about that helps nobody. */
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

    /** Writes all of it, as long as something of it goes now and then: a slow server is not a dead one. */
    void write(ByteBuffer from) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + timeoutNs;
        while (from.hasRemaining()) {
            if (channel.write(from) > 0) {
                endNs = System.nanoTime() + timeoutNs;
            } else if (!readiness.await(SelectionKey.OP_WRITE, endNs)) {
                throw new IOException("it has taken nothing for " + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
            }
        }
    }

    /**
     * Reads what is there.
     *
     * @return how many bytes, perhaps none
     * @throws EOFException if the server has closed the connection
     */
    int read(ByteBuffer to) throws IOException {
        int count = channel.read(to);
        if (count < 0) {
            throw new EOFException("it has closed the connection");
        }
        return count;
    }

    /** Waits until there may be something to read; false if the time is up. */
    boolean awaitReadable(long endNs) throws IOException, InterruptedException {
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
     * Ends what is sent, and waits for the server to do the same. A socket that is closed before everything was read from
     * it resets the connection, and the server may then never see what it has not read by that time.
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
            // It has read everything.
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
