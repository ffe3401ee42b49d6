package io.millrace.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.millrace.internal.linux.LibC;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Senders without a password that do what costs a service most. Each ends at its time, and has closed its connections then. */
final class HostileSenders {
    private static final int MANY_ADDRESSES = 250;

    private HostileSenders() {}

    /** What runs beside honest senders, until a time of {@link System#nanoTime}. */
    interface Attack {
        void run(long endNs) throws Exception;
    }

    /** They are on this host only for the test: elsewhere they would not take its CPUs from the service and its clients. */
    static void giveWay() {
        LibC.nice(15);
    }

    private static boolean isBefore(long endNs) {
        return System.nanoTime() - endNs < 0;
    }

    /**
     * Connections that each send a line and do not end it; those that are closed come again.
     *
     * @param addresses how many addresses of loopback they come from
     */
    static Attack unfinishedLines(int port, int connections, int addresses, int bytes) {
        return endNs -> {
            List<Unfinished> open = new ArrayList<>();
            ByteBuffer line = ByteBuffer.allocate(bytes);
            Arrays.fill(line.array(), (byte) 'x');
            line.put(0, "<13>".getBytes(US_ASCII));
            try {
                // On a busy machine a short run takes longer to fill the memory, and what was sent is read later.
                long latestNs = endNs + TimeUnit.SECONDS.toNanos(30);
                for (int i = 0; isBefore(endNs) || (i < 3000 && isBefore(latestNs)); i++) {
                    if (i >= connections) {
                        TimeUnit.MICROSECONDS.sleep(200);
                        open.remove(0).channel.close();
                    }
                    ByteBuffer left = line.duplicate();
                    open.add(new Unfinished(begin(port, i % addresses, left), left));
                }
                while (isBefore(latestNs) && open.stream().noneMatch(Unfinished::isClosed)) {
                    open.forEach(each -> write(each.channel, each.left));
                    TimeUnit.MILLISECONDS.sleep(100);
                }
            } finally {
                for (Unfinished each : open) {
                    each.channel.close();
                }
            }
        };
    }

    /** A connection, and what is not sent yet of its line. */
    private record Unfinished(SocketChannel channel, ByteBuffer left) {
        /** True if the server has closed or refused it. */
        boolean isClosed() {
            try {
                return !channel.isConnected() || channel.read(ByteBuffer.allocate(1)) < 0;
            } catch (IOException reset) {
                return true;
            }
        }
    }

    /** Connections that send good lines without a pause; for ten seconds, because outputs write them all to the disk. */
    static Attack linesWithoutPause(int port, int connections, int addresses) {
        return latestEndNs -> {
            long endNs = Math.min(latestEndNs, System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
            ByteBuffer lines = ByteBuffer.wrap(
                    "<13>app: one of many good lines\n".repeat(1000).getBytes(US_ASCII));
            List<SocketChannel> open = new ArrayList<>();
            try {
                while (isBefore(endNs)) {
                    for (int i = 0; i < connections && isBefore(endNs); i++) {
                        if (i >= open.size()) {
                            open.add(begin(port, i % addresses, lines.duplicate()));
                        } else {
                            write(open.get(i), lines.duplicate());
                        }
                    }
                }
            } finally {
                for (SocketChannel each : open) {
                    each.close();
                }
            }
        };
    }

    /** Clients of RELP that send short commands with long answers without a pause, and read none. */
    static Attack relpWithoutReading(int port, int connections, int addresses) {
        return endNs -> {
            StringBuilder commands = new StringBuilder("1 open 14 relp_version=0\n");
            for (int i = 2; i < 100_000; i++) {
                commands.append(i).append(" unknown 0\n");
            }
            ByteBuffer bytes = ByteBuffer.wrap(commands.toString().getBytes(US_ASCII));
            List<SocketChannel> open = new ArrayList<>();
            List<ByteBuffer> left = new ArrayList<>();
            try {
                for (int i = 0; isBefore(endNs); i = (i + 1) % connections) {
                    if (i >= open.size()) {
                        left.add(bytes.duplicate());
                        open.add(begin(port, i % addresses, left.get(i)));
                    } else {
                        write(open.get(i), left.get(i));
                    }
                }
            } finally {
                for (SocketChannel each : open) {
                    each.close();
                }
            }
        };
    }

    private static void write(SocketChannel channel, ByteBuffer left) {
        try {
            int unused = channel.isConnected() ? channel.write(left) : 0;
        } catch (IOException closed) {
            // It has given way.
        }
    }

    private static SocketChannel begin(int port, int address, ByteBuffer line) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.bind(new InetSocketAddress(
                    "127.7." + address / MANY_ADDRESSES + "." + (1 + address % MANY_ADDRESSES), 0));
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.configureBlocking(false);
            int unused = channel.write(line);
        } catch (IOException refused) {
            // The next one may be accepted.
        }
        return channel;
    }

    /** Connections that each begin a handshake with the same bytes, and end when the server has answered. */
    static Attack handshakes(int port, byte[] hello, int clients) {
        return endNs -> inThreads(clients, () -> {
            while (isBefore(endNs)) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    socket.setSoTimeout(1000);
                    socket.getOutputStream().write(hello);
                    int unused = socket.getInputStream().read();
                } catch (IOException refused) {
                    // The next one may be accepted.
                }
            }
        });
    }

    /** The first bytes that {@code openssl s_client} sends with some options. */
    static byte[] helloOfOpenssl(String... options) throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(10_000);
            List<String> command =
                    new ArrayList<>(List.of("openssl", "s_client", "-connect", "127.0.0.1:" + server.getLocalPort()));
            command.addAll(List.of(options));
            Process client = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (Socket socket = server.accept()) {
                InputStream in = socket.getInputStream();
                byte[] header = in.readNBytes(5);
                int length = (header[3] & 0xff) << Byte.SIZE | (header[4] & 0xff);
                byte[] hello = Arrays.copyOf(header, header.length + length);
                int unused = in.readNBytes(hello, header.length, length);
                return hello;
            } finally {
                client.destroyForcibly().waitFor();
            }
        }
    }

    /** Connections of TLS 1.3 that ask for new keys again and again, and do not read the answers. */
    static Attack keyUpdates(int port, int clients) {
        return endNs -> inThreads(clients, () -> {
            while (isBefore(endNs)) {
                try (SSLSocket socket = (SSLSocket)
                        trusting().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
                    socket.setEnabledProtocols(new String[] {"TLSv1.3"});
                    socket.setSoTimeout(2000);
                    while (isBefore(endNs)) {
                        // After the first one, each is a KeyUpdate.
                        socket.startHandshake();
                    }
                } catch (SocketTimeoutException slow) {
                    // As if it had been closed.
                } catch (IOException closed) {
                    TimeUnit.MILLISECONDS.sleep(10);
                }
            }
        });
    }

    static SSLContext trusting() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        TrustManager all = new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {
                // Trusted.
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {
                // Trusted.
            }

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        context.init(null, new TrustManager[] {all}, null);
        return context;
    }

    /** A GELF message in gzip that expands to so many bytes. */
    static byte[] expandingGelf(int bytes) throws IOException {
        var out = new java.io.ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write("{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"".getBytes(US_ASCII));
            gzip.write("x".repeat(bytes - 60).getBytes(US_ASCII));
            gzip.write("\"}".getBytes(US_ASCII));
        }
        return out.toByteArray();
    }

    private interface Task {
        void run() throws Exception;
    }

    private static void inThreads(int count, Task task) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> {
                try {
                    giveWay();
                    task.run();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
