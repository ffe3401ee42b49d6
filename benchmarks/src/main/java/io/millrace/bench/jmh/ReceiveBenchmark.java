package io.millrace.bench.jmh;

import io.millrace.bench.host.ScratchDirectory;
import io.millrace.sender.payload.SequencePayload;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Benchmark of receivers over loopback, with an open-loop sender in the same JVM. One shot is one trial: {@code rate * millis
 * / 1000} datagrams of 125 bytes are sent, the receiver is stopped, which drains its socket, and its datagrams are counted.
 * {@code received} and {@code lost} are exact and per trial. The score is the time of sending in ms. Above {@code millis} the
 * sender has missed the rate, and the trial is invalid.
 *
 * <p>The kernel does much of a receiver's work in the sender's thread. So with few CPUs the sender is the limit, and the
 * command {@code millrace bench} is the better comparison. This benchmark is for profilers ({@code -prof gc}, {@code -prof
 * async}).
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar ReceiveBenchmark -p receiver=nio,millrace-epoll -p rate=100000}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 5)
public class ReceiveBenchmark extends Suite {
    private static final int PAYLOAD_BYTES = 125;
    private static final int SPIN_NS = 50_000;

    /** A reference receiver, or the collector with a transport. */
    @Param({
        "syslog-inline",
        "bio",
        "nio",
        "aio",
        "io_uring",
        "mapped",
        "mapped-queue-bio",
        "mapped-queue-nio",
        "netty-epoll",
        "millrace-nio",
        "millrace-epoll"
    })
    @SuppressWarnings("NullAway.Init") // Set by JMH.
    private String receiver;

    /** Datagrams per second. */
    @Param({"50000", "200000"})
    private int rate;

    /** The length of a trial. */
    @Param("1000")
    private int millis;

    private final ByteBuffer payload = ByteBuffer.allocateDirect(PAYLOAD_BYTES);

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Path root;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Receivers.Running running;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private DatagramChannel sender;

    /** The result of a trial. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Outcome {
        /** Received datagrams at the stop. */
        public long received;
        /** Lost datagrams. */
        public long lost;

        /** Resets the counts. */
        @Setup(Level.Iteration)
        public void clear() {
            received = 0;
            lost = 0;
        }
    }

    /** Starts a new receiver per trial. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        root = ScratchDirectory.create("millrace-jmh-");
        running = Receivers.start(receiver, root);
        sender = DatagramChannel.open(StandardProtocolFamily.INET);
        sender.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), running.port()));
        SequencePayload.pad(payload, 0, PAYLOAD_BYTES);
    }

    /** Deletes its output. */
    @TearDown(Level.Iteration)
    public void delete(Outcome outcome) throws IOException {
        sender.close();
        outcome.received = running.stop();
        outcome.lost = (long) rate * millis / 1000 - outcome.received;
        ScratchDirectory.delete(root);
    }

    /** Sends the datagrams of a trial, each when it is due, or at once if it is late. */
    @Benchmark
    public void send() throws IOException {
        long count = (long) rate * millis / 1000;
        long startNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            awaitNs(startNs + i * 1_000_000_000L / rate);
            SequencePayload.encode(payload, 0, 1, 0, i, 0);
            int written = sender.write(payload.clear());
            if (written != PAYLOAD_BYTES) {
                throw new IOException("only " + written + " of " + PAYLOAD_BYTES + " bytes were sent");
            }
        }
    }

    private static void awaitNs(long dueNs) {
        for (long left = dueNs - System.nanoTime(); left > 0; left = dueNs - System.nanoTime()) {
            if (left > SPIN_NS) {
                LockSupport.parkNanos(left - SPIN_NS);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
