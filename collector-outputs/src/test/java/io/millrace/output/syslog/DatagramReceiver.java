package io.millrace.output.syslog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.output.TestServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** A server over UDP: a socket and a thread that reads it. */
final class DatagramReceiver implements TestServer {
    private final List<String> received = new ArrayList<>();
    private DatagramSocket socket;
    private Thread thread;
    private int port;

    /** The port it listens on, from the first start on. */
    int port() {
        return port;
    }

    @Override
    public void start() throws IOException {
        DatagramSocket open = new DatagramSocket(port, InetAddress.getLoopbackAddress());
        open.setReceiveBufferSize(4 << 20);
        socket = open;
        port = open.getLocalPort();
        thread = new Thread(() -> read(open), "datagram-receiver");
        thread.setDaemon(true);
        thread.start();
    }

    private void read(DatagramSocket open) {
        byte[] bytes = new byte[65_536];
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                open.receive(packet);
                synchronized (received) {
                    received.add(new String(bytes, 0, packet.getLength(), UTF_8));
                }
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    /** Closes the socket and waits for its reader: the kernel keeps the port open until the reader has left its call. */
    @Override
    public void close() throws IOException {
        if (socket == null) {
            return;
        }
        socket.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw (IOException) new InterruptedIOException().initCause(e);
        }
    }

    @Override
    public List<String> received() {
        synchronized (received) {
            return List.copyOf(received);
        }
    }

    @Override
    public void delay(long ms) {
        throw new UnsupportedOperationException();
    }
}
