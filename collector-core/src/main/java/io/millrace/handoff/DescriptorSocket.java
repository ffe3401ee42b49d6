package io.millrace.handoff;

import io.millrace.linux.SocketOptions;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One end of a Unix stream socket that carries lines of text and open file descriptors. Calls wait, by looking again each
 * millisecond: it is made for exchanges of seconds. One thread.
 */
public final class DescriptorSocket implements AutoCloseable {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MAX_LINE = 4096;
    private static final int CREDENTIALS_BYTES = 12;

    private final LinuxSocket socket;
    private final ByteBuffer one = ByteBuffer.allocateDirect(1);
    private volatile boolean abandoned;

    DescriptorSocket(LinuxSocket socket) {
        this.socket = socket;
    }

    /**
     * Connects.
     *
     * @param path of the socket
     * @throws IOException if nobody listens there
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
     * @param withinNs how long it may take
     * @throws IOException if the other end is gone, or takes nothing in that time
     */
    public void send(String line, long withinNs) throws IOException {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
        long startNs = System.nanoTime();
        int sent = 0;
        while (sent < bytes.length) {
            // 0 where there is no room.
            int now = socket.send(buffer, sent, bytes.length);
            sent += Math.max(0, now);
            lookAgain(now > 0, startNs, withinNs);
        }
    }

    /**
     * Receives a line.
     *
     * @param withinNs how long to wait for it
     * @throws EOFException if the other end is gone
     * @throws IOException if it does not come in that time
     */
    public String receive(long withinNs) throws IOException {
        StringBuilder line = new StringBuilder();
        long startNs = System.nanoTime();
        while (true) {
            // One by one: what follows may be the byte that brings a descriptor along.
            int count = socket.recv(one, 0, 1);
            if (count < 0) {
                throw new EOFException("the other process has closed the connection");
            } else if (count > 0 && one.get(0) == '\n') {
                return line.toString();
            } else if (count > 0) {
                line.append((char) (one.get(0) & 0xff));
            }
            if (line.length() > MAX_LINE) {
                throw new IOException("the other process does not send lines");
            }
            lookAgain(count > 0, startNs, withinNs);
        }
    }

    /**
     * Passes a descriptor on. The other end gets a duplicate; this process keeps its own.
     *
     * @param withinNs how long it may take
     */
    public void sendDescriptor(int descriptor, long withinNs) throws IOException {
        long startNs = System.nanoTime();
        while (socket.sendFd(descriptor) < 0) {
            lookAgain(false, startNs, withinNs);
        }
    }

    /**
     * Receives a descriptor, which is set not to block.
     *
     * @param withinNs how long to wait for it
     * @return the descriptor, which is the caller's to close
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
            lookAgain(false, startNs, withinNs);
        }
    }

    private void lookAgain(boolean atOnce, long startNs, long withinNs) throws IOException {
        if (abandoned) {
            throw new IOException("nobody waits for it any more");
        }
        if (System.nanoTime() - startNs > withinNs) {
            throw new IOException(
                    "the other process does not answer for " + TimeUnit.NANOSECONDS.toMillis(withinNs) + " ms");
        }
        if (!atOnce) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    /** Has a call that waits fail, and each after it. Any thread. */
    public void abandon() {
        abandoned = true;
    }

    /** Process id of the other end, as the kernel knows it. */
    public int peerPid() throws IOException {
        return credential(0);
    }

    /** User id of the other end, as the kernel knows it. */
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
