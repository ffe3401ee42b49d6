package io.millrace.bench.socket;

import io.millrace.bench.host.Environment;
import io.millrace.bench.report.Document;
import io.millrace.bench.report.DocumentFiles;
import io.millrace.bench.report.Markdown;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that measures sockets and writes a report. */
abstract class SocketCommand implements Callable<Integer> {
    @Option(names = "--full", description = "More and longer rounds, for results to publish.")
    private boolean full;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The folder of the report (default: bench-results/NAME-TIME).")
    private @Nullable Path out;

    /** The name of the command. */
    abstract String name();

    /** Measures, and describes the results. */
    abstract Document measure() throws IOException, InterruptedException;

    final boolean isFull() {
        return full;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        DocumentFiles folder = new DocumentFiles(out == null ? DocumentFiles.defaultFolder(name()) : out);
        List<List<String>> environment = new ArrayList<>();
        Environment.read().forEach((name, value) -> environment.add(List.of(name, value)));
        Document document = measure();
        document.heading("Environment").table(List.of("property", "value"), environment);
        folder.write(document);
        System.out.print(Markdown.tables(document));
        System.err.println("millrace bench: the report is in " + folder.path().toAbsolutePath());
        return 0;
    }
}
