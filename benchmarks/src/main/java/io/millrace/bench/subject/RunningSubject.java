package io.millrace.bench.subject;

import io.millrace.bench.check.LineFile;
import io.millrace.bench.check.RunCheck;
import io.millrace.bench.host.ChildProcess;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** A subject that runs. */
public final class RunningSubject implements AutoCloseable {
    private static final Duration STOP = Duration.ofSeconds(60);

    private final ChildProcess process;
    private final int port;
    private final Output output;
    private final Closeable resource;

    public interface Output {
        /** Adds every datagram to the check. */
        void read(RunCheck check) throws IOException;

        /** Passes each stored message on, if {@link Subject#storesMessages}. */
        default void messages(LineFile.Handler handler) throws IOException {
            throw new IOException("its messages are not stored one by one");
        }

        /** The number of received datagrams that the stopped process reports; empty if it reports none. */
        default OptionalLong received(ChildProcess stopped) throws IOException, InterruptedException {
            return OptionalLong.empty();
        }

        /** How many messages the running process itself says that it has lost since its start; empty if it counts none. */
        default OptionalLong lost() throws IOException, InterruptedException {
            return OptionalLong.empty();
        }

        /** Grows as soon as another message can be read: a number of messages or bytes. */
        default long readable() throws IOException, InterruptedException {
            throw new IOException("its output cannot be read while it runs");
        }

        /** Writes a file of what only the running process can read. */
        default void export() throws IOException, InterruptedException {
            // Its files are enough.
        }

        /** Another result that the stopped process reports, such as the datagrams per socket; empty if there is none. */
        default Optional<String> detail(ChildProcess stopped) throws InterruptedException {
            return Optional.empty();
        }
    }

    RunningSubject(ChildProcess process, int port, Output output) {
        this(process, port, output, () -> {});
    }

    /**
     * Makes a running subject.
     *
     * @param resource stays open as long as it runs
     */
    RunningSubject(ChildProcess process, int port, Output output, Closeable resource) {
        this.process = process;
        this.port = port;
        this.output = output;
        this.resource = resource;
    }

    /** The UDP port it receives on, on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Why it has ended unexpectedly; empty if it runs. */
    public Optional<String> ended() {
        return process.isAlive()
                ? Optional.empty()
                : Optional.of("the receiver has ended unexpectedly: " + process.lastLines());
    }

    /** Ends it with SIGTERM, so that it flushes its output. */
    public void stop() throws IOException, InterruptedException {
        if (ended().isPresent()) {
            throw new IOException(ended().get());
        }
        output.export();
        int code = process.terminate(STOP);
        // A JVM ended by SIGTERM exits with 128 + 15, as some other programs do.
        if (code != 0 && code != 143) {
            throw new IOException("the receiver ended with exit code " + code + ": " + process.lastLines());
        }
    }

    /** Checks the output of the stopped process for a run. */
    public RunCheck check(long runId) throws IOException {
        RunCheck check = new RunCheck(runId);
        output.read(check);
        return check;
    }

    /** Passes each message that the stopped process has stored on, if {@link Subject#storesMessages}. */
    public void messages(LineFile.Handler handler) throws IOException {
        output.messages(handler);
    }

    /** The number of received datagrams that the stopped process reports. */
    public OptionalLong received() throws IOException, InterruptedException {
        return output.received(process);
    }

    /** How many messages the running process itself says that it has lost since its start; empty if it counts none. */
    public OptionalLong lost() throws IOException, InterruptedException {
        return output.lost();
    }

    /** Grows as soon as another message can be read. */
    public long readable() throws IOException, InterruptedException {
        return output.readable();
    }

    /** Another result that the stopped process reports. */
    public Optional<String> detail() throws InterruptedException {
        return output.detail(process);
    }

    @Override
    public void close() throws IOException {
        process.close();
        resource.close();
    }
}
