package io.millrace.bench.subject;

import io.millrace.bench.check.LineFile;
import io.millrace.bench.check.RunCheck;
import io.millrace.bench.host.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The output of this module's programs: a line {@code ready port=…} on standard output when they receive, and at SIGTERM one
 * line of JSON with their counts.
 */
final class ProgramOutput {
    private static final Pattern READY = Pattern.compile("ready port=(\\d+).*");
    private static final Pattern RECEIVED = Pattern.compile("\"received\":\\s*(\\d+)");
    private static final Pattern WRITTEN = Pattern.compile("\"written\":\\s*(\\d+)");
    private static final Pattern PER_SOCKET = Pattern.compile("\"perSocket\":\\s*\\[([\\d, ]*)]");
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    private ProgramOutput() {}

    /** Starts a program and waits until it receives. */
    static RunningSubject start(String name, List<String> command, RunningSubject.Output output)
            throws IOException, InterruptedException {
        ChildProcess process = ChildProcess.start(name, command);
        try {
            Matcher ready = READY.matcher(process.awaitOut(line -> line.startsWith("ready "), START_TIMEOUT));
            if (!ready.matches()) {
                throw new IOException(name + " does not print its port: " + process.lastLines());
            }
            return new RunningSubject(process, Integer.parseInt(ready.group(1)), output);
        } catch (IOException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    /** A file with a datagram per line. */
    record Lines(Path file) implements RunningSubject.Output {
        @Override
        public void read(RunCheck check) throws IOException {
            LineFile.read(file, check::add);
        }

        /** Fails if not all received datagrams were written: this is not a loss of the receiver. */
        @Override
        public OptionalLong received(ChildProcess stopped) throws IOException, InterruptedException {
            OptionalLong received = number(RECEIVED, stopped);
            OptionalLong written = number(WRITTEN, stopped);
            if (!received.equals(written)) {
                throw new IOException("it received " + received + " and wrote " + written + ": " + stopped.lastLines());
            }
            return received;
        }
    }

    /** Only the counts in the line of JSON. */
    record CountsOnly() implements RunningSubject.Output {
        @Override
        public void read(RunCheck check) {
            // There is no file.
        }

        @Override
        public Optional<String> detail(ChildProcess stopped) throws InterruptedException {
            return find(PER_SOCKET, stopped);
        }

        @Override
        public OptionalLong received(ChildProcess stopped) throws InterruptedException {
            return number(RECEIVED, stopped);
        }
    }

    private static OptionalLong number(Pattern pattern, ChildProcess stopped) throws InterruptedException {
        return find(pattern, stopped).stream().mapToLong(Long::parseLong).findFirst();
    }

    private static Optional<String> find(Pattern pattern, ChildProcess stopped) throws InterruptedException {
        return stopped.out().stream()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1))
                .findFirst();
    }
}
