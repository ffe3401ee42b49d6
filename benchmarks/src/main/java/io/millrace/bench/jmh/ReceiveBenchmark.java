package io.millrace.bench.jmh;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import io.millrace.bench.host.ScratchDirectory;
import io.millrace.bench.host.SocketState;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Receive rate of each receiver over loopback, in datagrams of 125 bytes per second. {@code millrace send} in a process of its own
 * sends with GSO as fast as it can, which is faster than any receiver. Secondary results per iteration: the part of the datagrams
 * that the kernel dropped at the socket, and the CPU time of this process per received datagram.
 *
 * <p>The receiver runs in the JVM of the benchmark, so profilers see it ({@code -prof gc}, {@code -prof async}). All output
 * goes to memory: about 1 GB per receiver with the default iterations.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar ReceiveBenchmark -p receiver=nio,millrace-native}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ReceiveBenchmark extends Suite {
    private static final int PAYLOAD_BYTES = 125;
    private static final int STEP = 1_000;
    private static final long POLL_NS = 100_000;
    private static final Duration START = Duration.ofSeconds(20);
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    /** A reference receiver, or the collector with a transport. */
    @Param({
        "bio",
        "nio",
        "aio",
        "mapped",
        "mapped-queue-nio",
        "netty-epoll",
        "millrace-nio",
        "millrace-epoll",
        "millrace-native"
    })
    @SuppressWarnings("NullAway.Init") // Set by JMH.
    private String receiver;

    /** What the sender sends: {@code max}, or datagrams per second. */
    @Param("max")
    @SuppressWarnings("NullAway.Init") // Set by JMH.
    private String rate;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Path root;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Receivers.Running running;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private ChildProcess sender;

    private long awaited;
    private long received;
    private long drops;
    private long cpuNs;

    /** The secondary results of an iteration. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Outcome {
        /** Datagrams that the kernel dropped at the socket, in percent of those that reached it. */
        public double lostPercent;
        /** CPU time of the process per received datagram. */
        public double cpuNsPerDatagram;
    }

    /** Starts the receiver and the sender. */
    @Setup(Level.Trial)
    public void open() throws IOException, InterruptedException {
        root = ScratchDirectory.create("millrace-jmh-");
        running = Receivers.start(receiver, root);
        List<String> command = new ArrayList<>(Programs.java());
        command.addAll(List.of(
                "-jar",
                Programs.built("sender-tool/target/millrace-send.jar").toString(),
                "--to",
                "127.0.0.1:" + running.port(),
                "--rate",
                rate,
                "--duration",
                "1h",
                "--size",
                Integer.toString(PAYLOAD_BYTES),
                "--gso",
                "16"));
        sender = ChildProcess.start("the sender", command);
        awaitFirst();
    }

    private void awaitFirst() throws IOException {
        long end = System.nanoTime() + START.toNanos();
        while (running.received() == 0) {
            if (!sender.isAlive() || System.nanoTime() - end > 0) {
                throw new IOException("nothing arrives: " + sender.lastLines());
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /** Stops both, and deletes the output. */
    @TearDown(Level.Trial)
    public void delete() throws IOException {
        sender.close();
        var unused = running.stop();
        ScratchDirectory.delete(root);
    }

    /** Begins to count. */
    @Setup(Level.Iteration)
    public void begin() throws IOException {
        drops = SocketState.of(running.port()).drops();
        cpuNs = PROCESS.getProcessCpuTime();
        received = running.received();
        awaited = received;
    }

    /** Calculates the secondary results. JMH adds up those of all iterations, so that the parts of the mean are added here. */
    @TearDown(Level.Iteration)
    public void end(Outcome outcome, BenchmarkParams params) throws IOException {
        double count = running.received() - received;
        double dropped = SocketState.of(running.port()).drops() - drops & 0xffff_ffffL;
        int iterations = params.getMeasurement().getCount() * Math.max(1, params.getForks());
        outcome.cpuNsPerDatagram = (PROCESS.getProcessCpuTime() - cpuNs) / count / iterations;
        outcome.lostPercent = 100 * dropped / (count + dropped) / iterations;
    }

    /** Waits for the next datagrams. */
    @Benchmark
    @OperationsPerInvocation(STEP)
    public void receive() {
        awaited += STEP;
        while (running.received() < awaited) {
            LockSupport.parkNanos(POLL_NS);
        }
    }
}
