package io.millrace.bench.jmh;

import io.millrace.bench.host.ScratchDirectory;
import io.millrace.collector.SyncSettings;
import io.millrace.collector.WriterSettings;
import io.millrace.transport.StagedDatagram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Benchmark of the sync levels in µs per appended batch of 128 datagrams (19 KB), to a journal on a disk: that of the
 * temporary directory, or of {@code java -Dmillrace.bench.disk=DIR -jar …}. Every 256 MiB the files are replaced.
 *
 * <pre>{@code java -jar benchmarks/target/benchmarks.jar SyncBenchmark}</pre>
 */
@State(Scope.Thread)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SyncBenchmark extends Suite {
    private static final long BATCHES_PER_FILE = (256L << 20) / (SampleDatagram.RECORD_BYTES * OpenJournal.BATCH);

    /** The level, with the ms of an interval. */
    @Param({"page-cache", "interval-100", "interval-10", "batch"})
    @SuppressWarnings("NullAway.Init") // Set by JMH.
    private String sync;

    private final StagedDatagram datagram = SampleDatagram.stage();

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private Path root;

    @SuppressWarnings("NullAway.Init") // Made in the setup.
    private OpenJournal journal;

    private long left;

    private static SyncSettings level(String name) {
        return switch (name) {
            case "page-cache" -> SyncSettings.PAGE_CACHE;
            case "batch" -> SyncSettings.BATCH;
            default -> SyncSettings.interval(Duration.ofMillis(Long.parseLong(name.substring("interval-".length()))));
        };
    }

    /** Opens the first journal. */
    @Setup
    public void open() throws IOException {
        String disk = System.getProperty("millrace.bench.disk", System.getProperty("java.io.tmpdir"));
        root = Files.createTempDirectory(Path.of(disk), "millrace-jmh-");
        journal = OpenJournal.create(root, WriterSettings.DEFAULT.withSync(level(sync)));
        left = BATCHES_PER_FILE;
    }

    /** Deletes the last. */
    @TearDown
    public void delete() throws IOException {
        journal.close();
        ScratchDirectory.delete(root);
    }

    /** One batch. */
    @Benchmark
    public void append() throws IOException {
        if (left-- == 0) {
            delete();
            open();
        }
        for (int i = 0; i < OpenJournal.BATCH; i++) {
            journal.append(datagram);
        }
    }
}
