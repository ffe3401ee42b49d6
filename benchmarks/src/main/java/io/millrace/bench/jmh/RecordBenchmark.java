package io.millrace.bench.jmh;

import io.millrace.internal.record.BatchView;
import io.millrace.internal.record.FrameWriter;
import io.millrace.journal.DatagramView;
import io.millrace.transport.StagedDatagram;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Benchmark of the record format in ns per datagram of 133 bytes in batches of 128, without input or output. {@code -prof gc}
 * shows 0 bytes per operation.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar RecordBenchmark -prof gc}</pre>
 */
@State(Scope.Thread)
public class RecordBenchmark extends Suite {
    private static final int BATCH = 128;

    private final StagedDatagram datagram = SampleDatagram.stage();
    private final FrameWriter writer =
            new FrameWriter(ByteBuffer.allocateDirect(BATCH * FrameWriter.minCapacity(SampleDatagram.PAYLOAD_BYTES)));
    private final BatchView batch = new BatchView();
    private final DatagramView view = new DatagramView();

    /** Makes the batch to decode. */
    @Setup
    public void fill() {
        var unused = encode();
    }

    /** Writes frames into a batch and seals it with its checksum. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int encode() {
        writer.reset();
        for (int i = 0; i < BATCH; i++) {
            if (!writer.append(datagram, 0)) {
                throw new IllegalStateException("the batch is full");
            }
        }
        writer.seal(0, 1, 1);
        return writer.length();
    }

    /** Verifies the checksum and reads every datagram, as a cursor does. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long decode() {
        if (!batch.wrap(writer.buffer(), 0, writer.length()).isGood()) {
            throw new IllegalStateException("the batch is damaged");
        }
        return readAll();
    }

    /** Reads every datagram without verifying the checksum. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long decodeUnchecked() {
        var unused = batch.wrap(writer.buffer(), 0, writer.length());
        return readAll();
    }

    private long readAll() {
        long sum = 0;
        batch.first(view);
        do {
            sum += view.receiveTimeNs() + view.sourcePort() + view.payloadLength() + view.payloadByte(0);
        } while (view.next());
        return sum;
    }
}
