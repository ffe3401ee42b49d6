package io.millrace.bench.subject;

import io.millrace.bench.check.RunCheck;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** A subject's process. */
public final class RunningSubject implements AutoCloseable {
    private static final Duration STOP = Duration.ofSeconds(60);

    private final ChildProcess process;
    private final int port;
    private final Output output;
    private final Closeable beside;

    /** What a subject leaves behind. */
    public interface Output {
        /** Feeds every datagram it holds to the check. */
        void read(RunCheck check) throws IOException;

        /** How many datagrams the stopped process says it received; empty if it does not say. */
        default OptionalLong received(ChildProcess stopped) throws IOException, InterruptedException {
            return OptionalLong.empty();
        }

        /** What else the stopped process says of its work, such as each of its sockets' share; empty if nothing. */
        default Optional<String> detail(ChildProcess stopped) throws InterruptedException {
            return Optional.empty();
        }
    }

    RunningSubject(ChildProcess process, int port, Output output) {
        this(process, port, output, () -> {});
    }

    /**
     * Makes one.
     *
     * @param beside what has to stay open as long as it runs
     */
    RunningSubject(ChildProcess process, int port, Output output, Closeable beside) {
        this.process = process;
        this.port = port;
        this.output = output;
        this.beside = beside;
    }

    /** The UDP port it receives on, on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Why it has ended by itself; empty if it has not. */
    public Optional<String> ended() {
        return process.isAlive()
                ? Optional.empty()
                : Optional.of("the receiver has ended by itself: " + process.said());
    }

    /** Ends it with SIGTERM, so that it writes what it has received. */
    public void stop() throws IOException, InterruptedException {
        if (ended().isPresent()) {
            throw new IOException(ended().get());
        }
        int code = process.terminate(STOP);
        // A JVM that is ended by a signal exits with 128 + 15, and so do some others.
        if (code != 0 && code != 143) {
            throw new IOException("the receiver ended with exit code " + code + ": " + process.said());
        }
    }

    /** Looks for a run in what the stopped process has left behind. */
    public RunCheck check(long runId) throws IOException {
        RunCheck check = new RunCheck(runId);
        output.read(check);
        return check;
    }

    /** How many datagrams the stopped process says it received. */
    public OptionalLong received() throws IOException, InterruptedException {
        return output.received(process);
    }

    /** What else the stopped process says of its work. */
    public Optional<String> detail() throws InterruptedException {
        return output.detail(process);
    }

    @Override
    public void close() throws IOException {
        process.close();
        beside.close();
    }
}
