package io.millrace.bench.jmh;

import io.millrace.bench.host.ScratchDirectory;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.transport.StagedDatagram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Benchmark of a cursor over a journal of 133-byte datagrams in batches of 128, in datagrams per second, on one thread, with
 * checksums verified. At its end the journal is opened again, which is part of the result. The pages are in memory.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar ReadBenchmark}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class ReadBenchmark extends Suite {
    /** Datagrams in the journal. */
    @Param("1000000")
    private int datagrams;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Path root;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Journal journal;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private JournalCursor cursor;

    private long sum;

    /** Writes the journal. */
    @Setup
    public void write() throws IOException {
        root = ScratchDirectory.create("millrace-jmh-");
        StagedDatagram datagram = SampleDatagram.stage();
        try (OpenJournal open = OpenJournal.create(root)) {
            for (int i = 0; i < Math.max(datagrams, OpenJournal.BATCH); i++) {
                open.append(datagram);
            }
        }
        journal = Journal.open(root);
        cursor = journal.cursor().fromBeginning().open();
    }

    /** Deletes the journal. */
    @TearDown
    public void delete() throws IOException {
        cursor.close();
        ScratchDirectory.delete(root);
    }

    /** Reads all datagrams of one batch. */
    @Benchmark
    @OperationsPerInvocation(OpenJournal.BATCH)
    public long poll() throws IOException {
        if (poll(cursor) == 0) {
            cursor.close();
            cursor = journal.cursor().fromBeginning().open();
            if (poll(cursor) != OpenJournal.BATCH) {
                throw new IllegalStateException("the journal does not begin with a complete batch");
            }
        }
        return sum;
    }

    private int poll(JournalCursor from) {
        return from.poll((datagram, position) -> sum += datagram.payloadLength() + datagram.payloadByte(0));
    }
}
