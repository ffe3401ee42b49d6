package io.millrace.bench.jmh;

import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.RawFormat;
import io.millrace.internal.record.BatchView;
import io.millrace.internal.record.FrameWriter;
import io.millrace.journal.DatagramView;
import io.millrace.message.InputRules;
import io.millrace.message.Kind;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.transport.StagedDatagram;
import java.nio.ByteBuffer;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Benchmark of what an output does with each datagram of the journal, in ns per datagram: it is copied, parsed and written as a
 * line. The 1,024 messages of a batch have different hosts, programs, texts and lengths, so the CPU's branch predictor cannot
 * learn them, as it learns the one message of {@link ParseBenchmark}. {@code -prof gc} shows 0 bytes per operation.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar DatagramBenchmark -prof gc}</pre>
 */
@State(Scope.Thread)
public class DatagramBenchmark extends Suite {
    private static final int DATAGRAMS = 1024;
    private static final int MAX_BYTES = 512;
    private static final long RECEIVED_NS = 1_795_262_400_000_000_000L;
    private static final long FIRST_SEQUENCE = 40_000_000;
    private static final String[] HOSTS = {
        "web", "db", "auth-gw", "cache", "edge", "queue-eu", "mail.example.com", "vpn"
    };
    private static final String[] PROGRAMS = {"sshd", "nginx", "cron", "kernel", "postfix", "named", "sudo", "haproxy"};
    private static final String[] WORDS = {
        "session", "opened", "for", "user", "alice", "from", "192.0.2.10", "port", "52814", "connection", "to", "GET",
        "/api/v1/items", "closed", "(root)", "CMD", "after", "17", "ms;", "\"quoted\"", "lease", "expired,", "status:",
                "200"
    };

    /** The kind of the messages. */
    public enum Sample {
        /** RFC 5424 without structured data. */
        RFC5424("<%d>1 2026-11-21T10:00:%02d.%06dZ %s %s %d - -"),
        /** RFC 5424 with structured data. */
        STRUCTURED("<%d>1 2026-11-21T10:00:%02d.%06dZ %s %s %d ID47 [origin@32473 ip=\"192.0.2.7\" swVersion=\"1.2\"]"),
        /** RFC 3164. */
        RFC3164("<%d>Nov 21 10:00:%02d %4$s %5$s[%6$d]:"),
        /** Cisco IOS. */
        CISCO("<%d>%6$d: %4$s: Nov 21 10:00:%2$02d.%3$d UTC: %%LINEPROTO-5-UPDOWN:");

        private final String header;

        Sample(String header) {
            this.header = header;
        }
    }

    /** The kind. */
    @Param
    @SuppressWarnings("NullAway.Init") // Set by JMH.
    private Sample sample;

    private final FrameWriter writer =
            new FrameWriter(ByteBuffer.allocateDirect(DATAGRAMS * FrameWriter.minCapacity(MAX_BYTES)));
    private final BatchView batch = new BatchView();
    private final DatagramView view = new DatagramView();
    private final LogRecord record = LogRecord.of(new InputRules(ZoneOffset.UTC, false));
    private final LineFormat raw = new RawFormat();
    private final LineFormat json = new JsonFormat();
    private final LineBuffer lines = new LineBuffer();

    /** Makes the batch. */
    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        StagedDatagram datagram = new StagedDatagram(MAX_BYTES);
        writer.reset();
        for (int i = 0; i < DATAGRAMS; i++) {
            byte[] message = LineBuffer.bytes(message(random, i));
            datagram.payload().put(0, message);
            datagram.received(message.length);
            datagram.source(new byte[] {10, 0, 0, (byte) random.nextInt(1, 5)}, 0, 40_000);
            datagram.receiveTimeNs(RECEIVED_NS + i * 10_000L);
            if (!writer.append(datagram, 0)) {
                throw new IllegalStateException("the batch is full");
            }
        }
        writer.seal(0, 1, FIRST_SEQUENCE);
    }

    private String message(SplittableRandom random, int index) {
        String host = choose(random, HOSTS) + random.nextInt(1, 40);
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                sample.header,
                random.nextInt(192),
                index / 20,
                random.nextInt(1_000_000),
                host,
                choose(random, PROGRAMS),
                random.nextInt(1, 32_768)));
        for (int words = random.nextInt(6, 14); words > 0; words--) {
            text.append(' ').append(choose(random, WORDS));
        }
        return text.toString();
    }

    private static String choose(SplittableRandom random, String[] of) {
        return of[random.nextInt(of.length)];
    }

    /** Copies and parses. */
    @Benchmark
    @OperationsPerInvocation(DATAGRAMS)
    public int parse() {
        int sum = 0;
        long sequence = first();
        do {
            Kind kind = record.wrap(view, "edge", 0, sequence++).message().kind();
            sum += kind == Kind.RAW ? 0 : 1;
        } while (view.next());
        return sum;
    }

    /** Copies the payload to a line. */
    @Benchmark
    @OperationsPerInvocation(DATAGRAMS)
    public int raw() {
        return write(raw);
    }

    /** Copies, parses and writes a line of JSON. */
    @Benchmark
    @OperationsPerInvocation(DATAGRAMS)
    public int json() {
        return write(json);
    }

    private int write(LineFormat format) {
        lines.clear();
        long sequence = first();
        do {
            format.write(record.wrap(view, "edge", 0, sequence++), lines);
        } while (view.next());
        return lines.length();
    }

    private long first() {
        batch.wrap(writer.buffer(), 0, writer.length()).first(view);
        return FIRST_SEQUENCE;
    }
}
