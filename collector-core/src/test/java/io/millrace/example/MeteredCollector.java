package io.millrace.example;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.collector.Collector;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A collector whose metrics are in a registry of its program: {@code MeteredCollector PORT DATA_DIRECTORY COUNT}. */
public final class MeteredCollector {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private MeteredCollector() {}

    public static void main(String[] args) throws IOException {
        // Use the program's own registry, such as that of Prometheus, OpenTelemetry or Spring.
        MeterRegistry registry = new SimpleMeterRegistry();
        registry.config().commonTags("program", "example");
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        run(address, Path.of(args[1]), Long.parseLong(args[2]), registry, System.out);
    }

    /** Receives until this many datagrams are journaled, then prints counters of the registry. */
    static void run(InetSocketAddress address, Path data, long count, MeterRegistry registry, PrintStream out)
            throws IOException {
        Collector collector =
                Collector.builder().listen("example", address).journal(data).build();
        try (collector) {
            collector.start();
            // Meters read the collector's own counters on a scrape, so they cost nothing per datagram.
            collector.metrics().bindTo(registry);
            out.println("listening on port " + collector.addresses().get(0).getPort());
            while (total(registry, "millrace.journaled.datagrams") < count) {
                LockSupport.parkNanos(LOOK_NS);
            }
            for (String name : new String[] {"received", "journaled", "crash"}) {
                out.printf("%s %.0f%n", name, total(registry, "millrace." + name + ".datagrams"));
            }
        }
    }

    /** The sum over all shards: each shard has its own counter. */
    private static double total(MeterRegistry registry, String name) {
        return registry.get(name).functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
    }
}
