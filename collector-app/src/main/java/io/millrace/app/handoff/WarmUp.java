package io.millrace.app.handoff;

import io.millrace.collector.BoundSocket;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorSettings;
import io.millrace.internal.linux.DirectoryLock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The warm-up of the JVM before a hot restart: for about a second a collector with the same settings receives on the
 * loopback interface and journals in a temporary directory, so that classes are loaded and compiled. It starts twice,
 * the second time with the existing journal. One thread.
 */
public final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final long[] ROUNDS_NS = {TimeUnit.MILLISECONDS.toNanos(800), TimeUnit.MILLISECONDS.toNanos(200)};
    private static final int BURST = 100;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int PAYLOAD_BYTES = 125;
    private static final int RECEIVE_BUFFER = 1 << 20;

    private static final String PREFIX = "millrace-warm-up-";

    private WarmUp() {}

    /** Deletes the temporary directories of processes that were killed during their warm-up. */
    public static void removeLeftovers() {
        removeLeftovers(Path.of(System.getProperty("java.io.tmpdir")));
    }

    static void removeLeftovers(Path temporary) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(temporary, PREFIX + "*")) {
            Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            for (Path directory : found) {
                if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                        && user.equals(Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS))) {
                    removeIfUnused(directory);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("Cannot look for leftovers of a warm-up in {}: {}", temporary, e.toString());
        }
    }

    /** A warming-up process locks its directory until it is deleted; the lock of a killed process is free. */
    private static void removeIfUnused(Path directory) throws IOException {
        try (DirectoryLock lock = DirectoryLock.tryLock(directory)) {
            if (lock != null && lock.isHeld()) {
                delete(directory);
                LOG.info("Deleted {}, which a process that was killed had left behind", directory);
            }
        }
    }

    /** Runs the warm-up. A failure is logged and only makes the start slower. */
    public static void run(CollectorSettings settings) {
        try {
            Path directory = Files.createTempDirectory(PREFIX);
            try (DirectoryLock lock = DirectoryLock.tryLock(directory)) {
                LOG.debug("Warming up in {}, locked: {}", directory, lock != null && lock.isHeld());
                rounds(settings, directory);
            } finally {
                delete(directory);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("The warm-up failed, receiving begins cold: {}", e.toString());
        }
    }

    private static void rounds(CollectorSettings settings, Path directory) throws IOException {
        List<BoundSocket> sockets = List.of();
        for (long roundNs : ROUNDS_NS) {
            sockets = round(settings, directory, sockets, roundNs);
        }
        collector(settings, directory, sockets).close();
    }

    /** Uses the sockets of the previous round, and passes them to the next. */
    private static List<BoundSocket> round(
            CollectorSettings settings, Path directory, List<BoundSocket> sockets, long ns) throws IOException {
        Collector collector = collector(settings, directory, sockets);
        List<BoundSocket> next = new ArrayList<>();
        try (collector;
                DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(collector.addresses().get(0));
            ByteBuffer payload = ByteBuffer.allocateDirect(PAYLOAD_BYTES);
            long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < ns) {
                for (int i = 0; i < BURST; i++) {
                    channel.write(payload.clear());
                }
                LockSupport.parkNanos(PAUSE_NS);
            }
            for (BoundSocket socket : collector.boundSockets()) {
                next.add(socket.duplicate());
            }
            collector.handoff(sinceNs -> LOG.debug("Nobody reads since {}", sinceNs));
        }
        return next;
    }

    private static Collector collector(CollectorSettings settings, Path directory, List<BoundSocket> sockets)
            throws IOException {
        int port = sockets.isEmpty() ? 0 : sockets.get(0).address().getPort();
        return Collector.builder()
                .listen("warm-up", new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .journal(directory.resolve("data"))
                .transport(settings.get(CollectorSettings.TRANSPORT))
                .receivers(1)
                .threading(settings.get(CollectorSettings.THREADING))
                .receiveBuffer(RECEIVE_BUFFER)
                .maxDatagram(settings.get(CollectorSettings.MAX_DATAGRAM))
                .slabs(settings.get(CollectorSettings.SLABS), settings.get(CollectorSettings.SLAB_BYTES))
                .sources(settings.get(CollectorSettings.SOURCES))
                .adopt(sockets)
                .build()
                .start();
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            LOG.warn("{} cannot be deleted: {}", directory, e.toString());
        }
    }
}
