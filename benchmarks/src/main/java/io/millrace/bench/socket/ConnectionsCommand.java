package io.millrace.bench.socket;

import io.millrace.bench.report.Chart;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.ReportCommand;
import io.millrace.bench.trial.Load;
import io.millrace.bench.trial.SenderRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace bench connections}: what idle connections cost. */
@Command(
        name = "connections",
        description = {
            "Memory for each idle TCP connection, in the service and in the kernel, how fast the service accepts them, and whether"
                    + " UDP loses datagrams meanwhile. Then each connection sends one byte of a message.",
            "",
            "Service and connections need a file descriptor each: see ulimit -Hn."
        },
        footer = {"", "Examples:", "  millrace bench connections", "  millrace bench connections --full"})
public final class ConnectionsCommand extends ReportCommand {
    /** Connections that are open before anything is measured. */
    private static final int FIRST = 100;

    private static final int MILLION = 1_000_000;
    private static final long UDP_RATE = 20_000;
    private static final double UDP_SECONDS = 10;
    private static final double WARM_UP_SECONDS = 2;
    private static final int UDP_BYTES = 125;
    private static final List<String> COLUMNS =
            List.of("connections", "accepts/s", "heap, bytes", "resident, bytes", "kernel, bytes");

    private static final Pattern NUMBER = Pattern.compile("-?[\\d,]+");

    @Option(
            names = "--counts",
            paramLabel = "N",
            split = ",",
            description = "Numbers of connections, ascending (default: 200,400; with --full 1000,5000,10000,15000).")
    private List<Integer> counts = List.of();

    /** What was measured with some connections. */
    private record Step(int connections, double acceptsPerSecond, ConnectedService.Memory memory) {}

    private List<Integer> counts() {
        if (!counts.isEmpty()) {
            return counts;
        }
        return isFull() ? List.of(1_000, 5_000, 10_000, 15_000) : List.of(200, 400);
    }

    private void check() {
        int before = FIRST;
        for (int count : counts()) {
            if (count <= before) {
                throw new IllegalArgumentException("--counts accepts ascending numbers from " + (FIRST + 1)
                        + ", such as 200,400, not " + counts());
            }
            before = count;
        }
    }

    @Override
    protected Document measure(Path scratch) throws IOException, InterruptedException {
        check();
        try (ConnectedService service = ConnectedService.start(scratch)) {
            return measure(service);
        }
    }

    private Document measure(ConnectedService service) throws IOException, InterruptedException {
        // The first connections and datagrams load classes and fill tables of the service.
        service.connect(FIRST);
        var unused = sendUdp(service, WARM_UP_SECONDS);
        ConnectedService.Memory before = service.memory();
        long receivedBefore = service.received();
        int first = service.connections();
        CompletableFuture<SenderRun> udp = CompletableFuture.supplyAsync(() -> {
            try {
                return sendUdp(service, UDP_SECONDS);
            } catch (IOException e) {
                throw new CompletionException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CompletionException(e);
            }
        });
        List<Step> steps = new ArrayList<>();
        for (int count : counts()) {
            int added = count - service.connections();
            double seconds = service.connect(Math.max(0, added));
            steps.add(new Step(count, added / seconds, service.memory()));
        }
        service.sendByteOnEach();
        ConnectedService.Memory incomplete = service.memory();
        SenderRun sent;
        try {
            sent = udp.join();
        } catch (CompletionException e) {
            throw new IOException("the UDP sender failed: " + e.getCause(), e);
        }
        long received = service.received() - receivedBefore;

        Document document = new Document("Idle connections");
        document.text(String.format(
                Locale.ROOT,
                "Per connection, beyond the service with %d connections. Heap is reachable objects; resident is the"
                        + " anonymous memory of the process; kernel is what slab caches grew by, divided by two because both ends"
                        + " of each connection are on this host.",
                first));
        List<List<String>> rows = new ArrayList<>();
        for (Step step : steps) {
            rows.add(
                    row(count(step.connections), step.acceptsPerSecond, before, step.memory, step.connections - first));
        }
        int last = steps.get(steps.size() - 1).connections;
        rows.add(row(count(last) + ", each with one byte of a message", Double.NaN, before, incomplete, last - first));
        document.heading("Memory and accept rate").table(COLUMNS, rows).add(chart(rows));
        document.text(String.format(
                Locale.ROOT,
                "UDP meanwhile: %,d datagrams sent at %,d/s, %,d received.",
                sent.sent(),
                UDP_RATE,
                received));
        return million(document, before, steps.get(steps.size() - 1), first);
    }

    /** Draws the table of a report: memory against the number of idle connections. */
    public static Chart chart(List<List<String>> rows) {
        List<Chart.Series> series = new ArrayList<>();
        for (int column = 2; column < COLUMNS.size(); column++) {
            List<Chart.Point> points = new ArrayList<>();
            for (List<String> row : rows) {
                // The last row is about connections that are not idle.
                if (NUMBER.matcher(row.get(0)).matches()
                        && NUMBER.matcher(row.get(column)).matches()) {
                    points.add(new Chart.Point(number(row.get(0)), number(row.get(column))));
                }
            }
            series.add(new Chart.Series(COLUMNS.get(column).replace(", bytes", ""), points));
        }
        return new Chart("Memory per idle connection", "connections", "bytes", Chart.Kind.LINES, series);
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(",", ""));
    }

    private static SenderRun sendUdp(ConnectedService service, double seconds)
            throws IOException, InterruptedException {
        return SenderRun.run(
                Load.of(UDP_RATE, seconds, UDP_BYTES), List.of("127.0.0.1:" + service.udpPort()), 1, List.of());
    }

    private static List<String> row(
            String name,
            double acceptsPerSecond,
            ConnectedService.Memory before,
            ConnectedService.Memory now,
            int connections) {
        return List.of(
                name,
                Double.isNaN(acceptsPerSecond) ? "–" : String.format(Locale.ROOT, "%,.0f", acceptsPerSecond),
                each(now.heap() - before.heap(), connections),
                each(now.resident() - before.resident(), connections),
                each((now.kernel() - before.kernel()) / 2, connections));
    }

    private static String each(double bytes, int connections) {
        return Double.isNaN(bytes) ? "unavailable" : String.format(Locale.ROOT, "%,.0f", bytes / connections);
    }

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static Document million(Document document, ConnectedService.Memory before, Step last, int first) {
        double user = (last.memory.heap() - before.heap()) / (last.connections - first) * MILLION / 1e9;
        double kernel = (last.memory.kernel() - before.kernel()) / 2 / (last.connections - first) * MILLION / 1e9;
        return document.heading("A million connections, extrapolated")
                .text(String.format(
                        Locale.ROOT,
                        "%.1f GB of heap and %.1f GB in the kernel, without what waits in socket buffers. Such a host needs"
                                + " `maxConnections` and `maxConnectionsPerSource`, `-Xmx` above the heap, `LimitNOFILE=1100000`,"
                                + " `fs.nr_open` and `fs.file-max` above that, `net.core.somaxconn` and"
                                + " `net.ipv4.tcp_max_syn_backlog` of 4096 or more, a higher `net.ipv4.tcp_mem`, and no connection"
                                + " tracking of the port or a larger `nf_conntrack_max`. Each sender's address has at most 28,000"
                                + " connections to a port by default.",
                        user,
                        kernel));
    }
}
