package io.millrace.bench.jmh;

import io.millrace.sender.SequencePayload;
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
 * Receivers over loopback, fed by a sender in the same JVM that keeps to a schedule. One shot is one trial: {@code rate
 * * millis / 1000} datagrams of 125 bytes are sent, the receiver is stopped, which drains its socket, and what it has
 * is counted. {@code received} and {@code lost} are per trial, and exact. The score is the time the sending took in
 * ms: above {@code millis} the sender has missed the rate, and the trial says nothing about the receiver.
 *
 * <p>The kernel does a good part of a receiver's work in the sender's thread, so with few CPUs the sender is what
 * ends first: for rates at which receivers differ, use the suites that send from C. This one is for profilers
 * ({@code -prof gc}, {@code -prof async}).
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

    /** A reference receiver of the receiver comparison, or the collector with a transport. */
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

    /** How long a trial is. */
    @Param("1000")
    private int millis;

    private final ByteBuffer payload = ByteBuffer.allocateDirect(PAYLOAD_BYTES);

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Path root;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Receivers.Running running;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private DatagramChannel sender;

    /** What a trial comes to. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Outcome {
        /** Datagrams the receiver had when it was stopped. */
        public long received;
        /** Datagrams that were sent and not received. */
        public long lost;

        /** A trial begins with nothing. */
        @Setup(Level.Iteration)
        public void clear() {
            received = 0;
            lost = 0;
        }
    }

    /** Starts a receiver of its own for each trial. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        root = Scratch.create();
        running = Receivers.start(receiver, root);
        sender = DatagramChannel.open(StandardProtocolFamily.INET);
        sender.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), running.port()));
        SequencePayload.pad(payload, 0, PAYLOAD_BYTES);
    }

    /** Deletes what it wrote. */
    @TearDown(Level.Iteration)
    public void delete(Outcome outcome) throws IOException {
        sender.close();
        outcome.received = running.stop();
        outcome.lost = (long) rate * millis / 1000 - outcome.received;
        Scratch.delete(root);
    }

    /** Sends the datagrams of a trial, each when it is due or, when it is late, at once. */
    @Benchmark
    public void send() throws IOException {
        long count = (long) rate * millis / 1000;
        long startNs = System.nanoTime();
        for (int i = 0; i < count; i++) {
            awaitNs(startNs + i * 1_000_000_000L / rate);
            SequencePayload.encode(payload, 0, 1, 0, i, 0);
            int written = sender.write(payload.clear());
            if (written != PAYLOAD_BYTES) {
                throw new IOException("only " + written + " of " + PAYLOAD_BYTES + " bytes were taken");
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
