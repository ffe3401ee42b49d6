package io.millrace.collector;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What the thread of a receiver allocates on the Java heap. */
public final class ReceiverAllocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int PAYLOAD_BYTES = 125;
    private static final int BURST = 200;

    private ReceiverAllocation() {}

    /** Bytes per datagram in steady state: the least of several rounds. */
    public static double bytesPerDatagram(Path directory, String transport, int sources) throws IOException {
        return bytesPerDatagram(directory, transport, sources, Collector.builder());
    }

    /** The same with a policy that asks all it can ask, and refuses much of it. */
    public static double bytesPerDatagramWithPolicy(Path directory, String transport) throws IOException {
        CollectorBuilder builder = Collector.builder()
                .policy(PolicySettings.builder()
                        .allow("127.0.0.0/8")
                        .deny("127.0.0.2")
                        .limitSources(new RateLimit(1_000_000, 0))
                        .limitNetworks(new RateLimit(5000, 1 << 20), 24, 64)
                        .build());
        return bytesPerDatagram(directory, transport, 1, builder);
    }

    private static double bytesPerDatagram(Path directory, String transport, int sources, CollectorBuilder builder)
            throws IOException {
        try (Collector collector = builder.journal(directory)
                .transport(transport)
                .threading(Threading.DEDICATED)
                .receivers(1)
                .listen("it", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .build()
                .start()) {
            long thread = receiverThread();
            List<DatagramSocket> sockets = new ArrayList<>();
            for (int i = 0; i < sources; i++) {
                sockets.add(new DatagramSocket());
            }
            send(collector, sockets, 60_000);
            int datagrams = 20_000;
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 4; round++) {
                long before = THREADS.getThreadAllocatedBytes(thread);
                send(collector, sockets, datagrams);
                least = Math.min(least, THREADS.getThreadAllocatedBytes(thread) - before);
            }
            double bytes = (double) least / datagrams;
            sockets.forEach(DatagramSocket::close);
            System.err.printf("%s receiver, %d sources: %.2f bytes per datagram%n", transport, sources, bytes);
            return bytes;
        }
    }

    /** Sends in bursts, each after the one before was received, so that none is lost and the load is much the same. */
    private static void send(Collector collector, List<DatagramSocket> sockets, int count) throws IOException {
        InetSocketAddress target = collector.addresses().get(0);
        DatagramPacket packet = new DatagramPacket(new byte[PAYLOAD_BYTES], PAYLOAD_BYTES, target);
        long received = collector.sinceStart(Counter.RECEIVED_DATAGRAMS);
        for (int sent = 0; sent < count; sent++) {
            sockets.get(sent % sockets.size()).send(packet);
            // Few enough for the smallest receive buffer that a kernel grants, and enough for the receiver not to wait
            // for more.
            if (sent % BURST == BURST - 1) {
                awaitReceived(collector, received + sent + 1);
            }
        }
    }

    private static void awaitReceived(Collector collector, long count) {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (collector.sinceStart(Counter.RECEIVED_DATAGRAMS) < count) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError(
                        "received " + collector.sinceStart(Counter.RECEIVED_DATAGRAMS) + " of " + count);
            }
            LockSupport.parkNanos(100_000);
        }
    }

    private static long receiverThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("millrace-receive-0"))
                .findFirst()
                .orElseThrow()
                .getId();
    }
}
