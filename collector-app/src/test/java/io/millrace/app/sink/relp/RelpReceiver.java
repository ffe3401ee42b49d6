package io.millrace.app.sink.relp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.app.sink.TestServer;
import java.io.BufferedInputStream;
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
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/** A server of RELP, which takes the protocol literally. Messages with {@link #REFUSED} get an error. */
final class RelpReceiver implements TestServer {
    static final String REFUSED = "not this one";
    static final String OFFERS = "200 OK\nrelp_version=0\nrelp_software=test\ncommands=syslog";

    private final ServerSocketFactory factory;
    private final List<String> received = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final AtomicInteger sessions = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private volatile ServerSocket socket;
    private volatile long delayMs;
    private volatile String offers = OFFERS;
    /** After so many messages of a connection it says serverclose. */
    private volatile int messagesPerSession = Integer.MAX_VALUE;

    private volatile boolean silent;
    private int port;

    RelpReceiver(ServerSocketFactory factory) {
        this.factory = factory;
    }

    int port() {
        return port;
    }

    void offers(String next) {
        offers = next;
    }

    void messagesPerSession(int count) {
        messagesPerSession = count;
    }

    /** Takes messages, and answers none from now on. */
    void silent(boolean on) {
        silent = on;
    }

    int sessions() {
        return sessions.get();
    }

    /** Sessions that the client closed in order. */
    int closed() {
        return closed.get();
    }

    @Override
    public void start() throws IOException {
        ServerSocket listening = factory.createServerSocket(port, 50, InetAddress.getLoopbackAddress());
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
                "relp-receiver");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private record Frame(int txnr, String command, String data) {}

    private void serve(Socket connection) throws IOException, InterruptedException {
        connection.setTcpNoDelay(true);
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            int messages = 0;
            boolean open = false;
            for (int expected = 1; ; expected++) {
                Frame frame = next(in);
                if (frame.txnr() != expected) {
                    throw violation("number " + frame.txnr() + " instead of " + expected);
                }
                switch (frame.command()) {
                    case "open" -> {
                        open = true;
                        sessions.incrementAndGet();
                        answer(connection, frame, offers);
                    }
                    case "close" -> {
                        closed.incrementAndGet();
                        answer(connection, frame, "200 OK");
                        return;
                    }
                    case "syslog" -> {
                        if (!open) {
                            throw violation("not open");
                        }
                        boolean refused = frame.data().contains(REFUSED);
                        if (messages++ == messagesPerSession) {
                            connection.getOutputStream().write("0 serverclose 0\n".getBytes(UTF_8));
                            Thread.sleep(20);
                            return;
                        }
                        if (!refused) {
                            synchronized (received) {
                                received.add(frame.data());
                            }
                        }
                        if (delayMs > 0) {
                            Thread.sleep(delayMs);
                        }
                        if (!silent) {
                            answer(connection, frame, refused ? "500 it is not taken\nmore" : "200 OK");
                        }
                    }
                    default -> throw violation("command " + frame.command());
                }
            }
        } finally {
            connections.remove(connection);
        }
    }

    private static void answer(Socket connection, Frame to, String data) throws IOException {
        byte[] frame = (to.txnr() + " rsp " + data.length() + " " + data + "\n").getBytes(UTF_8);
        connection.getOutputStream().write(frame);
    }

    private Frame next(InputStream in) throws IOException {
        int txnr = Integer.parseInt(word(in, ' '));
        String command = word(in, ' ');
        StringBuilder digits = new StringBuilder();
        int next = in.read();
        for (; next >= '0' && next <= '9'; next = in.read()) {
            digits.append((char) next);
        }
        int length = Integer.parseInt(digits.toString());
        byte[] data = {};
        if (next == ' ') {
            data = in.readNBytes(length);
            next = in.read();
        }
        if (next < 0) {
            throw new EOFException();
        }
        if (next != '\n' || data.length != length) {
            throw violation("no line feed after " + command);
        }
        return new Frame(txnr, command, new String(data, UTF_8));
    }

    private static String word(InputStream in, char end) throws IOException {
        StringBuilder word = new StringBuilder();
        for (int next = in.read(); next != end; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            word.append((char) next);
        }
        return word.toString();
    }

    private IOException violation(String what) {
        synchronized (violations) {
            violations.add(what);
        }
        return new IOException(what);
    }

    /** What was wrong with the protocol. */
    List<String> violations() {
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

    /** Ends, and waits until its threads have. */
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
