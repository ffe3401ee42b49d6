package io.millrace.bench.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Threads that accept connections on loopback, each with a selector of its own. */
final class Acceptors implements AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final int CONNECTING_THREADS = 2;
    private static final int LOOK_MS = 10;
    private static final long SETTLE_MS = 200;

    private final List<ServerSocketChannel> listeners = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final long[] accepted;
    private final InetSocketAddress address;
    private volatile boolean accepting = true;
    private volatile boolean connecting = true;

    private Acceptors(int count, boolean shared) throws IOException {
        this.accepted = new long[count];
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        for (int i = 0; i < (shared ? 1 : count); i++) {
            ServerSocketChannel listener = ServerSocketChannel.open();
            listeners.add(listener);
            listener.setOption(StandardSocketOptions.SO_REUSEPORT, !shared);
            listener.bind(i == 0 ? any : listeners.get(0).getLocalAddress(), BACKLOG);
            listener.configureBlocking(false);
        }
        this.address = (InetSocketAddress) listeners.get(0).getLocalAddress();
    }

    /** Listens, and begins to accept. */
    static Acceptors start(int count, boolean shared) throws IOException {
        Acceptors acceptors = new Acceptors(count, shared);
        for (int i = 0; i < count; i++) {
            int number = i;
            ServerSocketChannel listener = acceptors.listeners.get(shared ? 0 : i);
            Thread thread = new Thread(() -> acceptors.accept(number, listener), "accept-" + i);
            acceptors.threads.add(thread);
            thread.start();
        }
        return acceptors;
    }

    private void accept(int number, ServerSocketChannel listener) {
        try (Selector selector = Selector.open()) {
            listener.register(selector, SelectionKey.OP_ACCEPT);
            while (accepting) {
                selector.select(LOOK_MS);
                selector.selectedKeys().clear();
                SocketChannel channel = accepting ? listener.accept() : null;
                if (channel != null) {
                    accepted[number]++;
                    channel.close();
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot accept", e);
        }
    }

    /** Has others connect for some seconds; returns how many each thread has accepted. Nobody accepts afterwards. */
    long[] load(double seconds) throws InterruptedException {
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CONNECTING_THREADS; i++) {
            Thread client = new Thread(this::connectAgainAndAgain, "connect-" + i);
            clients.add(client);
            client.start();
        }
        TimeUnit.MILLISECONDS.sleep((long) (seconds * 1000));
        connecting = false;
        for (Thread client : clients) {
            client.join();
        }
        stopAccepting();
        return accepted.clone();
    }

    private void connectAgainAndAgain() {
        while (connecting) {
            try (SocketChannel channel = SocketChannel.open(address)) {
                // A reset leaves no port in TIME_WAIT.
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            } catch (IOException e) {
                // Both ends close at once; the next connection is as good.
            }
        }
    }

    private void stopAccepting() throws InterruptedException {
        accepting = false;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Has connections wait to be accepted, closes one of several listening sockets, and returns how many were reset by that. */
    int resetByClose(int waiting) throws IOException, InterruptedException {
        List<SocketChannel> clients = new ArrayList<>();
        try {
            for (int i = 0; i < waiting; i++) {
                clients.add(SocketChannel.open(address));
            }
            if (listeners.size() > 1) {
                listeners.get(0).close();
            }
            TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
            int reset = 0;
            for (SocketChannel client : clients) {
                client.configureBlocking(false);
                reset += isReset(client) ? 1 : 0;
            }
            return reset;
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    private static boolean isReset(SocketChannel client) {
        try {
            return client.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        accepting = false;
        connecting = false;
        for (ServerSocketChannel listener : listeners) {
            listener.close();
        }
    }
}
