package io.millrace.internal.handoff;

import io.millrace.internal.linux.SocketOptions;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One end of a Unix stream socket that carries lines of text, bytes and file descriptors. Calls block, and poll every
 * millisecond: it is made for exchanges of seconds. One thread.
 */
public final class DescriptorSocket implements AutoCloseable {
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MAX_LINE = 4096;
    private static final int CREDENTIALS_BYTES = 12;

    private final LinuxSocket socket;
    private final ByteBuffer one = ByteBuffer.allocateDirect(1);
    private volatile boolean abandoned;

    DescriptorSocket(LinuxSocket socket) {
        this.socket = socket;
    }

    /**
     * Connects to a socket.
     *
     * @param path the socket file
     * @throws IOException if no process listens there
     */
    public static DescriptorSocket connect(Path path) throws IOException {
        return connect(path.toString());
    }

    static DescriptorSocket connect(String path) throws IOException {
        if (!Epoll.isAvailable()) {
            throw new IOException("descriptors cannot be passed here: Netty's epoll library does not load");
        }
        LinuxSocket socket = LinuxSocket.newSocketDomain();
        try {
            socket.connect(new DomainSocketAddress(path));
            return new DescriptorSocket(socket);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Sends a line.
     *
     * @param line without a line break
     * @param withinNs the time limit for the next bytes to be accepted, in ns
     * @throws IOException if the other end has closed, or accepts nothing in that time
     */
    public void send(String line, long withinNs) throws IOException {
        send((line + "\n").getBytes(StandardCharsets.UTF_8), withinNs);
    }

    /**
     * Sends bytes. The receiver must know their number.
     *
     * @param withinNs the time limit for the next bytes to be accepted, in ns
     * @throws IOException if the other end has closed, or accepts nothing in that time
     */
    public void send(byte[] bytes, long withinNs) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
        long startNs = System.nanoTime();
        int sent = 0;
        while (sent < bytes.length) {
            // 0 if the socket buffer is full.
            int now = socket.send(buffer, sent, bytes.length);
            sent += Math.max(0, now);
            startNs = now > 0 ? System.nanoTime() : startNs;
            poll(now > 0, startNs, withinNs);
        }
    }

    /**
     * Receives a number of bytes.
     *
     * @param withinNs the time limit for the next bytes, in ns
     * @throws EOFException if the other end has closed
     * @throws IOException if nothing arrives in that time
     */
    public byte[] receive(int length, long withinNs) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(length);
        long startNs = System.nanoTime();
        int received = 0;
        while (received < length) {
            int count = socket.recv(buffer, received, length);
            if (count < 0) {
                throw new EOFException("the other process has closed the connection");
            }
            received += count;
            startNs = count > 0 ? System.nanoTime() : startNs;
            poll(count > 0, startNs, withinNs);
        }
        byte[] bytes = new byte[length];
        buffer.get(0, bytes);
        return bytes;
    }

    /**
     * Receives a line.
     *
     * @param withinNs the time limit for the line, in ns
     * @throws EOFException if the other end has closed
     * @throws IOException if the line does not arrive in that time
     */
    public String receive(long withinNs) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        long startNs = System.nanoTime();
        while (true) {
            // Byte by byte: the next one may carry a descriptor.
            int count = socket.recv(one, 0, 1);
            if (count < 0) {
                throw new EOFException("the other process has closed the connection");
            } else if (count > 0 && one.get(0) == '\n') {
                return line.toString(StandardCharsets.UTF_8);
            } else if (count > 0) {
                line.write(one.get(0));
            }
            if (line.size() > MAX_LINE) {
                throw new IOException("the other process sent a line of more than " + MAX_LINE + " bytes");
            }
            poll(count > 0, startNs, withinNs);
        }
    }

    /**
     * Passes a descriptor. The other end gets a duplicate; this process keeps its own.
     *
     * @param withinNs the time limit in ns
     */
    public void sendDescriptor(int descriptor, long withinNs) throws IOException {
        long startNs = System.nanoTime();
        while (socket.sendFd(descriptor) < 0) {
            poll(false, startNs, withinNs);
        }
    }

    /**
     * Receives a descriptor, which is set to non-blocking.
     *
     * @param withinNs the time limit in ns
     * @return the descriptor, which the caller must close
     */
    public int receiveDescriptor(long withinNs) throws IOException {
        long startNs = System.nanoTime();
        while (true) {
            int descriptor = socket.recvFd();
            if (descriptor > 0) {
                return descriptor;
            } else if (descriptor < 0) {
                throw new EOFException("the other process has closed the connection");
            }
            poll(false, startNs, withinNs);
        }
    }

    private void poll(boolean progress, long startNs, long withinNs) throws IOException {
        if (abandoned) {
            throw new IOException("the call was abandoned");
        }
        if (System.nanoTime() - startNs > withinNs) {
            throw new IOException(
                    "the other process did not answer within " + TimeUnit.NANOSECONDS.toMillis(withinNs) + " ms");
        }
        if (!progress) {
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /** Makes the call that blocks, and all later calls, fail. Any thread. */
    public void abandon() {
        abandoned = true;
    }

    /** The process id of the other end, from the kernel. */
    public int peerPid() throws IOException {
        return credential(0);
    }

    /** The user id of the other end, from the kernel. */
    public int peerUid() throws IOException {
        return credential(1);
    }

    private int credential(int index) throws IOException {
        ByteBuffer credentials = ByteBuffer.allocateDirect(CREDENTIALS_BYTES).order(ByteOrder.nativeOrder());
        socket.getRawOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_PEERCRED, credentials);
        return credentials.getInt(index * Integer.BYTES);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
