package io.millrace.output;

import java.io.BufferedInputStream;
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

/** A server with a thread per connection, which takes its protocol literally. */
public abstract class StreamServer implements TestServer {
    private final ServerSocketFactory factory;
    private final List<String> received = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private volatile ServerSocket socket;
    private volatile long delayMs;
    private int port;

    protected StreamServer(ServerSocketFactory factory) {
        this.factory = factory;
    }

    /** Something a thread does until its socket is closed. */
    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    /** Takes what a connection sends, until it ends. */
    protected abstract void serve(Socket connection, InputStream in) throws IOException, InterruptedException;

    /** Called before the server listens. */
    protected void prepare(ServerSocket listening) {}

    public int port() {
        return port;
    }

    @Override
    public void start() throws IOException {
        ServerSocket listening = factory.createServerSocket(port, 50, InetAddress.getLoopbackAddress());
        prepare(listening);
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

    private void serve(Socket connection) throws IOException, InterruptedException {
        try (connection) {
            serve(connection, new BufferedInputStream(connection.getInputStream()));
        } finally {
            connections.remove(connection);
        }
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
                getClass().getSimpleName());
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    /** Keeps a message, and takes its time. */
    protected void take(String message) throws InterruptedException {
        synchronized (received) {
            received.add(message);
        }
        pause();
    }

    protected void pause() throws InterruptedException {
        if (delayMs > 0) {
            Thread.sleep(delayMs);
        }
    }

    protected IOException violation(String what) {
        synchronized (violations) {
            violations.add(what);
        }
        return new IOException(what);
    }

    /** What was wrong with the protocol. */
    public List<String> violations() {
        synchronized (violations) {
            return List.copyOf(violations);
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
