package io.millrace.bench.socket;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.host.CpuTime;
import io.millrace.bench.host.Programs;
import io.millrace.bench.subject.MillraceService;
import io.millrace.internal.linux.ProcFile;
import io.millrace.internal.linux.ProcText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The service with an input on UDP and one on TCP, and connections to it. */
final class ConnectedService implements AutoCloseable {
    private static final Pattern UDP = Pattern.compile("udp \\S*:(\\d+)[ ,]");
    private static final Pattern TCP = Pattern.compile("tcp \\S*:(\\d+)[ ,]");
    /** The last line of a class histogram: objects and their bytes. */
    private static final Pattern LIVE_BYTES = Pattern.compile("Total +\\d+ +(\\d+)");

    private static final int MAX_CONNECTIONS = 1_000_000;
    private static final int SETTLE_MS = 500;
    private static final int LOOK_MS = 5;
    private static final long KIB = 1024;
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(120);

    private final MillraceService service;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final InetSocketAddress address;

    /**
     * Memory in bytes.
     *
     * @param heap of reachable objects of the service; NaN if it cannot be asked
     * @param resident anonymous memory of the service
     * @param kernel slab caches of the host
     */
    record Memory(double heap, double resident, double kernel) {}

    private ConnectedService(MillraceService service) throws IOException {
        this.service = service;
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(service.find(TCP)));
    }

    static ConnectedService start(Path directory) throws IOException, InterruptedException {
        Path config = Files.writeString(directory.resolve("millrace.yaml"), """
                inputs:
                  datagrams: {listen: "127.0.0.1:0"}
                  connections: {listen: "tcp://127.0.0.1:0", maxConnections: %1$d, maxConnectionsPerSource: %1$d}
                """.formatted(MAX_CONNECTIONS));
        return new ConnectedService(MillraceService.start(
                "the service",
                MillraceService.command(
                        "--config",
                        config.toString(),
                        "--data",
                        directory.resolve("data").toString(),
                        "--admin",
                        "127.0.0.1:0")));
    }

    int udpPort() throws IOException {
        return Integer.parseInt(service.find(UDP));
    }

    int connections() {
        return channels.size();
    }

    /** Opens more connections; returns how long it took until the service had accepted all, in seconds. */
    double connect(int count) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            channels.add(SocketChannel.open(address));
        }
        while (open() < channels.size()) {
            if (System.nanoTime() - startNs > CONNECT_NS) {
                throw new IOException("the service has accepted " + open() + " of " + channels.size() + " connections: "
                        + service.process().lastLines());
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
        return (System.nanoTime() - startNs) / 1e9;
    }

    private long open() throws IOException {
        long open = 0;
        for (JsonNode shard : service.get("/api/status").at("/streams/0/shards")) {
            open += shard.path("openConnections").asLong();
        }
        return open;
    }

    /** Sends the first byte of a message on each connection. */
    void sendByteOnEach() throws IOException, InterruptedException {
        for (SocketChannel channel : channels) {
            channel.write(ByteBuffer.wrap(new byte[] {'<'}));
        }
        TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
    }

    long received() throws IOException {
        return service.get("/api/ledger").path("received").asLong();
    }

    Memory memory() throws IOException, InterruptedException {
        TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
        double heap = reachable();
        Long slab = ProcText.number(ProcText.field(ProcFile.text(Path.of("/proc/meminfo")), "Slab"));
        return new Memory(heap, CpuTime.memory(service.process().pid()), slab == null ? Double.NaN : slab * KIB);
    }

    /**
     * From a class histogram, which collects garbage first. The used part of the heap is no measure: it contains all that threads
     * have reserved for new objects since.
     */
    private double reachable() throws IOException, InterruptedException {
        Path java = Path.of(Programs.java().get(0));
        Path jcmd = java.resolveSibling("jcmd");
        if (!Files.isExecutable(jcmd)) {
            return Double.NaN;
        }
        String pid = Long.toString(service.process().pid());
        return Programs.output(List.of(jcmd.toString(), pid, "GC.class_histogram")).orElse(List.of()).stream()
                .map(LIVE_BYTES::matcher)
                .filter(Matcher::matches)
                .mapToDouble(matcher -> Double.parseDouble(matcher.group(1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
        service.process().close();
    }
}
