package io.millrace.app.command;

import io.millrace.app.report.FailureMessage;
import io.millrace.app.report.Terminal;
import io.millrace.message.Body;
import io.millrace.message.Explanation;
import io.millrace.message.InputRules;
import io.millrace.message.Kind;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.message.SyslogMessage;
import io.millrace.output.OutputSettings;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace parse}: converts lines of files or of standard input to any format, on all CPUs, in order. */
@Command(
        name = "parse",
        description = "Parse syslog messages, one per line, from files or standard input: what would become of them.",
        footer = {
            "",
            "Examples:",
            "  millrace parse /var/log/syslog --format json",
            "  tail -f firewall.log | millrace parse --format '{severity} {hostname} {message}'",
            "  millrace parse --stats --format none archive.log   what kinds of messages there are",
            "  millrace parse --limit 5 --fields arcsight.log",
            "  millrace parse --explain --where 'severity <= err and hostname == \"fw1\"' archive.log",
            "",
            "Exit codes: 0 done, 1 a file could not be read (the others were), 2 bad usage.",
        })
public final class ParseCommand extends HelpOption implements Callable<Integer> {
    private static final int GZIP_BUFFER = 64 << 10;
    private static final long NS_PER_MS = 1_000_000;
    private static final int EXPLANATION_INDENT = 2;

    @Parameters(paramLabel = "FILE", description = "The files; without one, or with -, standard input.")
    private List<Path> files = List.of(Path.of("-"));

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = OutputSettings.FORMATS
                    + ", or none (default: json; raw with --explain). On a terminal, control characters are shown as #033 and those that change the"
                    + " direction of text as <U+202E>.")
    private @Nullable String chosenFormat;

    private String format = "json";

    @Mixin
    private MessageOptions messages = new MessageOptions();

    @Option(
            names = "--explain",
            description = "Print all messages, and below each which parts of --where match, with the values compared.")
    private boolean explain;

    @Option(names = "--stats", description = "Print statistics to standard error at the end.")
    private boolean stats;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private boolean failed;
    private long limit;
    private final int threads = Runtime.getRuntime().availableProcessors();
    private final Deque<Future<Parsed>> underWay = new ArrayDeque<>();
    private final ParseStats total = new ParseStats();

    /** Lines of a file. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared and never changed.
    private record Chunk(byte[] lines, long timeNs) {}

    private record Parsed(Chunk chunk, LineBuffer lines, ParseStats stats) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        limit = messages.limit();
        if (explain && messages.filter == null) {
            throw new ParameterException(spec.commandLine(), "--explain requires a --where, which it explains");
        }
        format = chosenFormat != null ? chosenFormat : explain ? "raw" : "json";
        if (!format.equalsIgnoreCase("none")) {
            checkFormat();
        }
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        long startNs = System.nanoTime();
        try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            for (Path file : files) {
                if (total.messages < limit) {
                    parse(file, workers, out);
                }
            }
        } catch (UncheckedIOException e) {
            IOException cause = Objects.requireNonNull(e.getCause());
            if (!"Broken pipe".equals(cause.getMessage())) {
                throw cause;
            }
            // The reader of the pipe has closed it.
        } finally {
            workers.shutdownNow();
            Terminal.endProgress();
        }
        if (stats) {
            total.print(System.err, System.nanoTime() - startNs);
        }
        return failed ? 1 : 0;
    }

    private void checkFormat() {
        try {
            var unused = OutputSettings.FORMAT.type().parse(format);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "Invalid value for option '--format': " + e.getMessage());
        }
    }

    private static boolean isStdin(Path file) {
        return file.toString().equals("-");
    }

    /** Parses a file, or reports why it cannot be read. */
    private void parse(Path file, ExecutorService workers, OutputStream out) throws InterruptedException {
        try {
            read(file, workers, out);
        } catch (IOException e) {
            drain(out, 0);
            Terminal.endProgress();
            String name = isStdin(file) ? "standard input" : file.toString();
            FailureMessage.print(
                    e instanceof FileSystemException ? e : new IOException(name + ": " + e.getMessage(), e));
            failed = true;
        }
    }

    private void read(Path file, ExecutorService workers, OutputStream out) throws IOException, InterruptedException {
        boolean regular = !isStdin(file) && Files.isRegularFile(file);
        long bytes = regular ? Files.size(file) : 0;
        long done = 0;
        try (InputStream in = open(file)) {
            LineChunks chunks = new LineChunks(in);
            for (byte[] lines = nextOf(chunks); lines != null; lines = nextOf(chunks)) {
                // The file's time determines the year of timestamps without one.
                long timeNs =
                        NS_PER_MS * (regular ? Files.getLastModifiedTime(file).toMillis() : System.currentTimeMillis());
                Chunk chunk = new Chunk(lines, timeNs);
                underWay.add(workers.submit(() -> parse(chunk, Long.MAX_VALUE)));
                done += lines.length;
                // Results are written before waiting for input, so that slow streams are not delayed.
                drain(out, !regular && in.available() == 0 ? 0 : 2 * threads);
                if (regular) {
                    Terminal.progress("parsing", done, bytes);
                }
            }
            drain(out, 0);
        }
    }

    /** Opens a file. Of a pipe or a device, {@link Files} gives a stream that cannot tell what is available. */
    private static InputStream open(Path file) throws IOException {
        if (isStdin(file)) {
            return new FileInputStream(FileDescriptor.in);
        }
        boolean stream = Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
        InputStream in = stream ? new FileInputStream(file.toFile()) : Files.newInputStream(file);
        return file.toString().endsWith(".gz") ? new GZIPInputStream(in, GZIP_BUFFER) : in;
    }

    /** The next lines; null if the limit is reached. */
    private byte @Nullable [] nextOf(LineChunks chunks) throws IOException {
        return total.messages < limit ? chunks.next() : null;
    }

    /**
     * Prints the parsed chunks in order.
     *
     * @throws UncheckedIOException if standard output fails
     */
    private void drain(OutputStream out, int left) throws InterruptedException {
        while (underWay.size() > left) {
            try {
                Parsed parsed = underWay.remove().get();
                if (parsed.stats().messages > limit - total.messages) {
                    parsed = parse(parsed.chunk(), limit - total.messages);
                }
                parsed.lines().writeTo(out);
                total.add(parsed.stats());
            } catch (ExecutionException e) {
                throw new IllegalStateException("a defect of the parser: " + e.getCause(), e.getCause());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Parsed parse(Chunk chunk, long most) {
        byte[] lines = chunk.lines();
        @Nullable
        LineFormat line = format.equalsIgnoreCase("none")
                ? null
                : Terminal.forStdout(OutputSettings.FORMAT.type().parse(format));
        LogRecord record = LogRecord.of(
                new InputRules(messages.timeZone, false, InputRules.MAX_EXPANDED_BYTES, messages.charset),
                Map.of(),
                messages.fields);
        Explanation explanation = explain && messages.filter != null ? new Explanation(messages.filter) : null;
        LineBuffer out = new LineBuffer();
        ParseStats found = new ParseStats();
        int begin = 0;
        while (begin < lines.length && found.messages < most) {
            int end = begin;
            while (end < lines.length && lines[end] != '\n') {
                end++;
            }
            boolean blank = end == begin || (end == begin + 1 && lines[begin] == '\r');
            if (!blank && (matches(record.wrap(lines, begin, end, chunk.timeNs())) || explain)) {
                found.count(record);
                if (line != null) {
                    line.write(record, out);
                }
                if (explanation != null) {
                    explanation.write(record, EXPLANATION_INDENT, out);
                }
            }
            begin = end + 1;
        }
        return new Parsed(chunk, out, found);
    }

    private boolean matches(LogRecord record) {
        return messages.filter == null || messages.filter.matches(record);
    }

    /** The number of messages by kind. */
    @SuppressWarnings("EnumOrdinal") // The array of counts has the order of the enum.
    private static final class ParseStats {
        private final long[] kinds = new long[Kind.values().length];
        private final long[] bodies = new long[Body.values().length];
        private long messages;
        private long withoutPriority;
        private long withoutTime;
        private long notUtf8;

        void count(LogRecord record) {
            SyslogMessage message = record.message();
            messages++;
            notUtf8 += record.isUtf8() ? 0 : 1;
            kinds[message.kind().ordinal()]++;
            bodies[message.body().ordinal()]++;
            withoutPriority += message.isPriorityMissing() ? 1 : 0;
            withoutTime += message.timestampNs() == SyslogMessage.NO_TIME ? 1 : 0;
        }

        void add(ParseStats other) {
            for (int i = 0; i < kinds.length; i++) {
                kinds[i] += other.kinds[i];
            }
            for (int i = 0; i < bodies.length; i++) {
                bodies[i] += other.bodies[i];
            }
            messages += other.messages;
            withoutPriority += other.withoutPriority;
            withoutTime += other.withoutTime;
            notUtf8 += other.notUtf8;
        }

        void print(PrintStream out, long tookNs) {
            out.printf(
                    Locale.ROOT,
                    "millrace: %,d %s in %.1f s, %,.0f per second%n",
                    messages,
                    messages == 1 ? "message" : "messages",
                    tookNs / 1e9,
                    messages * 1e9 / tookNs);
            for (Kind kind : Kind.values()) {
                line(out, "parse=" + kind.code(), kinds[kind.ordinal()]);
            }
            for (Body body : Body.values()) {
                line(out, "body=" + body.code(), bodies[body.ordinal()]);
            }
            line(out, "without PRI", withoutPriority);
            line(out, "without a time", withoutTime);
            line(out, "not all UTF-8", notUtf8);
        }

        private void line(PrintStream out, String what, long count) {
            if (count > 0) {
                out.printf(Locale.ROOT, "%,15d  %5.1f %%  %s%n", count, 100.0 * count / messages, what);
            }
        }
    }
}
