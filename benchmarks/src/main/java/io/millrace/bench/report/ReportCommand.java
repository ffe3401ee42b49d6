package io.millrace.bench.report;

import io.millrace.bench.host.Environment;
import io.millrace.bench.host.HostLock;
import io.millrace.bench.host.ScratchDirectory;
import io.millrace.bench.host.WarmMemory;
import io.millrace.bench.option.CommandText;
import io.millrace.bench.option.Extent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that measures without the trials of a suite, and writes a report. */
public abstract class ReportCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // Picocli sets it.
    private CommandSpec spec;

    @ArgGroup(multiplicity = "0..1")
    private Extent extent = new Extent();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder of the report (default: bench-results/NAME-TIME).")
    private @Nullable Path out;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "The directory for all other files (default: /dev/shm, which is in memory).")
    private @Nullable Path work;

    /**
     * Measures, and describes the results.
     *
     * @param scratch an empty directory, which is deleted afterwards
     */
    protected abstract Document measure(Path scratch) throws IOException, InterruptedException;

    /** How much memory is touched before. */
    protected long warmMemoryBytes() {
        return 0;
    }

    protected final boolean isFull() {
        return extent.isFull();
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        DocumentFiles folder = new DocumentFiles(out == null ? DocumentFiles.defaultFolder(spec.name()) : out);
        Path parent = work == null ? ScratchDirectory.parent() : Files.createDirectories(work);
        Path scratch = Files.createTempDirectory(parent, "millrace-" + spec.name());
        ScratchDirectory.deleteAtShutdown(scratch);
        try (HostLock lock = HostLock.await();
                WarmMemory warm = WarmMemory.of(warmMemoryBytes())) {
            lock.check();
            List<List<String>> environment = new ArrayList<>();
            environment.add(List.of(
                    "start", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString()));
            environment.add(List.of("mode", isFull() ? "full" : "quick: too short for results to publish"));
            Environment.read().forEach((name, value) -> environment.add(List.of(name, value)));
            if (warm.bytes() > 0) {
                environment.add(List.of("memory touched before, MiB", Long.toString(warm.bytes() >> 20)));
            }
            environment.add(
                    List.of("files in", parent + (parent.startsWith(ScratchDirectory.MEMORY) ? " (memory)" : "")));
            Document document = measure(scratch);
            document.heading("Environment").code(CommandText.of(spec)).table(List.of("property", "value"), environment);
            folder.write(document);
            System.out.print(Markdown.tables(document));
            System.err.println(
                    "millrace bench: the report is in " + folder.path().toAbsolutePath());
            if (!isFull()) {
                System.err.println("millrace bench: " + Sections.QUICK);
            }
            return 0;
        } finally {
            ScratchDirectory.delete(scratch);
        }
    }
}
