package io.millrace.app.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.app.sink.SyslogSinkSettings.Transport;
import io.millrace.deliver.Sink;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** UDP. */
class SyslogUdpSinkTest extends SinkContract {
    private final Receiver receiver = new Receiver();

    @Override
    protected TestServer newServer() {
        return receiver;
    }

    @Override
    protected Sink newSink() {
        return new SyslogSink(SyslogSinkSettings.of("127.0.0.1", receiver.port, Transport.UDP));
    }

    @Override
    protected boolean isAcknowledged() {
        return false;
    }

    @Override
    protected int count() {
        // As many as fit into the receive buffer that a socket has where nobody raised the limit.
        return 40;
    }

    @Override
    protected byte[] refusedPayload() {
        return "x".repeat(65_507).getBytes(UTF_8);
    }

    @Override
    protected String refusal() {
        return "it cannot be encoded: a message of 655";
    }

    @Override
    void aSlowDestinationOnlyDelays() {
        // Over UDP there is no telling that a destination is slow.
    }

    /** A socket and a thread that reads it. */
    private static final class Receiver implements TestServer {
        private final List<String> received = new ArrayList<>();
        private DatagramSocket socket;
        private Thread thread;
        private int port;

        @Override
        public void start() throws IOException {
            DatagramSocket open = new DatagramSocket(port, InetAddress.getLoopbackAddress());
            open.setReceiveBufferSize(4 << 20);
            socket = open;
            port = open.getLocalPort();
            thread = new Thread(() -> read(open), "syslog-receiver");
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
}
