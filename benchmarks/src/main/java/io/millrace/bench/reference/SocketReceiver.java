package io.millrace.bench.reference;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;

/** Receiver with a blocking {@link DatagramSocket}: one call per datagram, on its own thread. */
final class SocketReceiver extends ReferenceReceiver {
    private static final int DRAIN_TIMEOUT_MS = 20;

    private final DatagramSocket socket;
    private final int maxDatagramBytes;
    private final Thread thread = new Thread(this::run, "reference-receive");
    private volatile boolean stopping;
    private volatile int wakerPort;

    private SocketReceiver(DatagramSocket socket, int maxDatagramBytes, LineSink sink) {
        super(sink);
        this.socket = socket;
        this.maxDatagramBytes = maxDatagramBytes;
    }

    static SocketReceiver open(ReferenceSettings settings, LineSink sink) throws IOException {
        DatagramSocket socket = new DatagramSocket(null);
        try {
            socket.setReceiveBufferSize(settings.receiveBufferBytes());
            socket.bind(settings.listen());
            return new SocketReceiver(socket, settings.maxDatagramBytes(), sink);
        } catch (IOException e) {
            socket.close();
            throw bindFailure(settings.listen(), e);
        }
    }

    @Override
    void begin() {
        thread.start();
    }

    private void run() {
        ByteBuffer payload = ByteBuffer.allocate(maxDatagramBytes);
        DatagramPacket packet = new DatagramPacket(payload.array(), maxDatagramBytes);
        while (!stopping) {
            var unused = receive(packet, payload);
        }
        long startNs = System.nanoTime();
        try {
            // Not earlier: with a timeout the JDK needs more system calls per datagram.
            socket.setSoTimeout(DRAIN_TIMEOUT_MS);
            while (System.nanoTime() - startNs < DRAIN_LIMIT_NS && receive(packet, payload)) {
                // Until it is empty.
            }
        } catch (IOException e) {
            onError(e);
        }
    }

    /** Reads one datagram; false if none came in time. */
    private boolean receive(DatagramPacket packet, ByteBuffer payload) {
        try {
            packet.setLength(maxDatagramBytes);
            socket.receive(packet);
            if (!stopping || !isWaker(packet)) {
                onDatagram(payload.clear().limit(packet.getLength()), packet.getAddress());
            }
        } catch (SocketTimeoutException empty) {
            return false;
        } catch (IOException e) {
            onError(e);
        }
        return !socket.isClosed();
    }

    private boolean isWaker(DatagramPacket packet) {
        return packet.getLength() == 0 && packet.getPort() == wakerPort;
    }

    /** A thread in a blocking receive sees a flag only after the next datagram, so the stop sends it one. */
    @Override
    void drain() throws IOException, InterruptedException {
        try (socket;
                DatagramSocket waker = new DatagramSocket()) {
            wakerPort = waker.getLocalPort();
            stopping = true;
            InetAddress bound = socket.getLocalAddress();
            InetAddress to = bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound;
            waker.send(new DatagramPacket(new byte[0], 0, to, socket.getLocalPort()));
            thread.join(JOIN_LIMIT_MS);
        }
    }

    @Override
    void abandon() {
        socket.close();
    }

    @Override
    public int localPort() {
        return socket.getLocalPort();
    }

    @Override
    public int grantedReceiveBuffer() {
        try {
            return 2 * socket.getOption(StandardSocketOptions.SO_RCVBUF);
        } catch (IOException e) {
            return 0;
        }
    }
}
