package io.millrace.bench.subject;

import io.millrace.bench.check.LineFile;
import io.millrace.bench.check.RunCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The programs of this module, which all have one contract: a line {@code ready port=…} on standard output once they
 * receive, and at SIGTERM one line of JSON that says what they received.
 */
final class OwnProgram {
    private static final Pattern READY = Pattern.compile("ready port=(\\d+).*");
    private static final Pattern RECEIVED = Pattern.compile("\"received\":\\s*(\\d+)");
    private static final Pattern WRITTEN = Pattern.compile("\"written\":\\s*(\\d+)");
    private static final Pattern SHARES = Pattern.compile("\"perSocket\":\\s*\\[([\\d, ]*)]");
    private static final Duration START = Duration.ofSeconds(30);

    private OwnProgram() {}

    static RunningSubject start(String name, List<String> command, RunningSubject.Output output)
            throws IOException, InterruptedException {
        ChildProcess process = ChildProcess.start(name, command);
        try {
            Matcher ready = READY.matcher(process.awaitOut(line -> line.startsWith("ready "), START));
            if (!ready.matches()) {
                throw new IOException(name + " does not say its port: " + process.said());
            }
            return new RunningSubject(process, Integer.parseInt(ready.group(1)), output);
        } catch (IOException | InterruptedException e) {
            process.close();
            throw e;
        }
    }

    /** A file of lines, or nothing but the number in the line of JSON. */
    record Lines(Path file) implements RunningSubject.Output {
        @Override
        public void read(RunCheck check) throws IOException {
            LineFile.read(file, check);
        }

        /** Fails if it could not write what it received: that is no loss of receiving. */
        @Override
        public OptionalLong received(ChildProcess stopped) throws IOException, InterruptedException {
            OptionalLong received = OwnProgram.received(stopped);
            OptionalLong written = number(WRITTEN, stopped);
            if (!received.equals(written)) {
                throw new IOException("it received " + received + " and wrote " + written + ": " + stopped.said());
            }
            return received;
        }
    }

    /** Nothing but the number in the line of JSON. */
    record Nothing() implements RunningSubject.Output {
        @Override
        public void read(RunCheck check) {
            // It has kept none of them.
        }

        @Override
        public Optional<String> detail(ChildProcess stopped) throws InterruptedException {
            for (String line : stopped.out()) {
                Matcher matcher = SHARES.matcher(line);
                if (matcher.find()) {
                    return Optional.of(matcher.group(1));
                }
            }
            return Optional.empty();
        }

        @Override
        public OptionalLong received(ChildProcess stopped) throws InterruptedException {
            return OwnProgram.received(stopped);
        }
    }

    private static OptionalLong received(ChildProcess stopped) throws InterruptedException {
        return number(RECEIVED, stopped);
    }

    private static OptionalLong number(Pattern pattern, ChildProcess stopped) throws InterruptedException {
        for (String line : stopped.out()) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                return OptionalLong.of(Long.parseLong(matcher.group(1)));
            }
        }
        return OptionalLong.empty();
    }

    /** A reference receiver of the receiver comparison, in a JVM of its own. */
    record RungSubject(String name, String description) implements Subject {
        @Override
        public Optional<String> unavailable() {
            return name.equals("io_uring") && !io.netty.channel.uring.IoUring.isAvailable()
                    ? Optional.of("this kernel does not give io_uring: "
                            + io.netty.channel.uring.IoUring.unavailabilityCause()
                                    .getMessage())
                    : Optional.empty();
        }

        @Override
        public String configuration(Launch launch) {
            return String.join(" ", command(launch));
        }

        private List<String> command(Launch launch) {
            List<String> command = new ArrayList<>(Programs.java());
            command.addAll(List.of(
                    "-cp",
                    System.getProperty("java.class.path"),
                    "io.millrace.bench.BenchMain",
                    "reference",
                    name,
                    "--listen",
                    "127.0.0.1:0",
                    "--out",
                    lines(launch).toString(),
                    "--receive-buffer",
                    Integer.toString(launch.receiveBufferBytes())));
            return Programs.pinned(launch.processors(), command);
        }

        @Override
        public RunningSubject start(Launch launch) throws IOException, InterruptedException {
            return OwnProgram.start(name, command(launch), new Lines(lines(launch)));
        }
    }

    /**
     * The C baseline.
     *
     * @param addresses sockets are bound to each
     * @param sockets how many there are in all; they share the receive buffer that others have for one
     * @param options more options for it
     */
    record FloorSubject(
            String name, String mode, String description, List<String> addresses, int sockets, List<String> options)
            implements Subject {
        @Override
        public Optional<String> unavailable() throws IOException {
            if (Programs.baseline().isEmpty()) {
                return Optional.of("the C baseline is not built: it needs a C compiler (Debian: gcc libc6-dev)");
            }
            return mode.equals("ring") && !"root".equals(System.getProperty("user.name"))
                    ? Optional.of("a packet ring needs CAP_NET_RAW, and this is not root")
                    : Optional.empty();
        }

        @Override
        public String configuration(Launch launch) throws IOException {
            return String.join(" ", command(launch));
        }

        @Override
        public boolean countsOnly() {
            return !mode.equals("append");
        }

        @Override
        public boolean seesGsoBatches() {
            return mode.equals("ring");
        }

        private List<String> command(Launch launch) throws IOException {
            List<String> command = new ArrayList<>();
            command.add(Programs.baseline()
                    .orElseThrow(() -> new IOException("the C baseline is not built"))
                    .toString());
            command.add(mode);
            command.addAll(List.of("--receive-buffer", Integer.toString(launch.receiveBufferBytes() / sockets)));
            if (mode.equals("append")) {
                command.addAll(List.of("--out", lines(launch).toString()));
            }
            command.addAll(List.of("--listen", String.join(",", addresses)));
            command.addAll(options);
            return Programs.pinned(launch.processors(), command);
        }

        @Override
        public RunningSubject start(Launch launch) throws IOException, InterruptedException {
            return OwnProgram.start(name, command(launch), countsOnly() ? new Nothing() : new Lines(lines(launch)));
        }
    }

    private static Path lines(Launch launch) {
        return launch.directory().resolve("lines");
    }
}
