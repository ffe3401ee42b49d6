package io.millrace.app.sink.syslog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.app.sink.TestServer;
import io.millrace.app.sink.syslog.SyslogSinkSettings.Framing;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLServerSocket;

/** Receives syslog over TCP or TLS, and takes framing literally. */
final class SyslogReceiver implements TestServer {
    private final ServerSocketFactory factory;
    private final Framing framing;
    private final boolean clientAuth;
    private final List<String> received = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private volatile ServerSocket socket;
    private volatile long delayMs;
    private int port;

    SyslogReceiver(ServerSocketFactory factory, Framing framing, boolean clientAuth) {
        this.factory = factory;
        this.framing = framing;
        this.clientAuth = clientAuth;
    }

    int port() {
        return port;
    }

    @Override
    public void start() throws IOException {
        ServerSocket listening = factory.createServerSocket(port, 50, InetAddress.getLoopbackAddress());
        if (listening instanceof SSLServerSocket tls) {
            tls.setNeedClientAuth(clientAuth);
        }
        port = listening.getLocalPort();
        socket = listening;
        thread(() -> {
            while (true) {
                Socket connection = listening.accept();
                connections.add(connection);
                if (socket != listening) {
                    connection.close();
                }
                thread(() -> serve(connection));
            }
        });
    }

    /** Something a thread does until its socket is closed. */
    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private void thread(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | InterruptedException e) {
                        // The socket was closed.
                    }
                },
                "syslog-receiver");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void serve(Socket connection) throws IOException, InterruptedException {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            for (String message = next(in); message != null; message = next(in)) {
                add(received, message);
                if (delayMs > 0) {
                    Thread.sleep(delayMs);
                }
            }
        } finally {
            connections.remove(connection);
        }
    }

    private static void add(List<String> list, String text) {
        synchronized (list) {
            list.add(text);
        }
    }

    private static List<String> copy(List<String> list) {
        synchronized (list) {
            return List.copyOf(list);
        }
    }

    /** The next message; null at the end of the stream. */
    private String next(InputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        if (framing == Framing.LINE_FEED) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int c = first; c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new EOFException();
                }
                line.write(c);
            }
            return line.toString(UTF_8);
        }
        if (first < '1' || first > '9') {
            throw violation("a count begins with " + first);
        }
        int length = 0;
        for (int c = first; c != ' '; c = in.read()) {
            if (c < '0' || c > '9' || length > 1_000_000) {
                throw violation("a count goes on with " + c);
            }
            length = 10 * length + c - '0';
        }
        byte[] message = in.readNBytes(length);
        if (message.length < length) {
            throw new EOFException();
        }
        return new String(message, UTF_8);
    }

    private IOException violation(String what) {
        add(violations, what);
        return new IOException(what);
    }

    /** What was wrong with the framing. */
    List<String> violations() {
        return copy(violations);
    }

    @Override
    public List<String> received() {
        return copy(received);
    }

    @Override
    public void delay(long ms) {
        delayMs = ms;
    }

    /**
     * Ends, and waits until the kernel has: a socket on which a thread waits goes on taking connections and messages until that thread
     * has noticed.
     */
    @Override
    public void close() throws IOException {
        ServerSocket listening = socket;
        socket = null;
        if (listening != null) {
            listening.close();
        }
        for (Thread thread = threads.poll(); thread != null; thread = threads.poll()) {
            for (Socket connection : connections) {
                connection.close();
            }
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw (IOException) new InterruptedIOException().initCause(e);
            }
        }
    }
}
