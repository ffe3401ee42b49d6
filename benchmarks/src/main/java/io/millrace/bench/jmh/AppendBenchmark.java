package io.millrace.bench.jmh;

import io.millrace.bench.host.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Benchmark of ways to append records of 149 bytes, in ns per record, to new files in memory ({@code /dev/shm}, else the
 * temporary directory). Every 256 MiB the files are replaced, so that a run of any length has room. This is part of the
 * result, and so is the first touch of each new page, which dominates on some virtual machines.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar AppendBenchmark -prof gc}</pre>
 */
@State(Scope.Thread)
public class AppendBenchmark extends Suite {
    private static final long RECORDS_PER_FILE = (256L << 20) / SampleDatagram.RECORD_BYTES;

    /** See {@link Appenders}. */
    @Param({"chronicle-single", "journal-batch", "mapped", "file-channel"})
    @SuppressWarnings("NullAway.Init") // Set by JMH.
    private String way;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Path root;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Appenders.Appender appender;

    private long left;

    /** Opens the first file. */
    @Setup
    public void open() throws IOException {
        root = ScratchDirectory.create("millrace-jmh-");
        appender = Appenders.open(way, root);
        left = RECORDS_PER_FILE;
    }

    /** Deletes the last. */
    @TearDown
    public void delete() throws IOException {
        appender.close();
        ScratchDirectory.delete(root);
    }

    /** One record. */
    @Benchmark
    public void append() throws IOException {
        if (left-- == 0) {
            delete();
            open();
        }
        appender.append();
    }
}
