package io.millrace.bench.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A child process whose output is collected line by line. Children that still run when this JVM ends are killed.
 */
public final class ChildProcess implements AutoCloseable {
    private static final int MAX_LINES = 100_000;
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();
    private static final Set<Runnable> AT_SHUTDOWN = ConcurrentHashMap.newKeySet();
    private static volatile boolean shuttingDown;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ChildProcess::shutDown, "end-children"));
    }

    private final String name;
    private final Process process;
    private final Output out;
    private final Output err;

    private ChildProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.out = new Output(process.getInputStream());
        this.err = new Output(process.getErrorStream());
    }

    /** The lines of one stream, read by its own thread. */
    private static final class Output {
        private final List<String> lines = new ArrayList<>();
        private final InputStream stream;
        private boolean ended;

        Output(InputStream stream) {
            this.stream = stream;
            Thread reader = new Thread(this::read, "child-output");
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (BufferedReader in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    add(line);
                }
            } catch (IOException closed) {
                // The process has ended.
            } finally {
                end();
            }
        }

        private synchronized void add(String line) {
            if (lines.size() < MAX_LINES) {
                lines.add(line);
                notifyAll();
            }
        }

        private synchronized void end() {
            ended = true;
            notifyAll();
        }

        synchronized List<String> all() throws InterruptedException {
            while (!ended) {
                wait();
            }
            return List.copyOf(lines);
        }

        synchronized Optional<String> await(Predicate<String> wanted, long timeoutNanos) throws InterruptedException {
            long end = System.nanoTime() + timeoutNanos;
            for (int next = 0; ; ) {
                for (; next < lines.size(); next++) {
                    if (wanted.test(lines.get(next))) {
                        return Optional.of(lines.get(next));
                    }
                }
                long leftMs = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (ended || leftMs <= 0) {
                    return Optional.empty();
                }
                wait(leftMs);
            }
        }

        synchronized String last() {
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
        }
    }

    /** Registers an action for the end of this JVM, after the last child has ended. */
    public static void atShutdown(Runnable action) {
        AT_SHUTDOWN.add(action);
    }

    /** Reverts {@link #atShutdown}. */
    public static void notAtShutdown(Runnable action) {
        AT_SHUTDOWN.remove(action);
    }

    /** True once the shutdown of this JVM has begun. */
    public static boolean isShuttingDown() {
        return shuttingDown;
    }

    private static void shutDown() {
        shuttingDown = true;
        RUNNING.forEach(process -> {
            kill(process);
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        AT_SHUTDOWN.forEach(Runnable::run);
    }

    /**
     * Starts a program.
     *
     * @param name its name in messages
     */
    public static ChildProcess start(String name, List<String> command) throws IOException {
        if (shuttingDown) {
            throw new IOException(name + " is not started: this process is ending");
        }
        Process process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .start();
        RUNNING.add(process);
        if (shuttingDown) {
            kill(process);
        }
        return new ChildProcess(name, process);
    }

    /** Waits for a line on standard output. */
    public String awaitOut(Predicate<String> wanted, Duration timeout) throws IOException, InterruptedException {
        return await(out, wanted, timeout);
    }

    /** Waits for a line on standard error. */
    public String awaitErr(Predicate<String> wanted, Duration timeout) throws IOException, InterruptedException {
        return await(err, wanted, timeout);
    }

    private String await(Output output, Predicate<String> wanted, Duration timeout)
            throws IOException, InterruptedException {
        return output.await(wanted, timeout.toNanos())
                .orElseThrow(() -> new IOException(
                        name + (process.isAlive() ? " did not start in " + timeout.toSeconds() + " s" : " has ended")
                                + ": " + lastLines()));
    }

    /** Its last lines, for messages. */
    public String lastLines() {
        String text = (err.last() + "\n" + out.last()).strip();
        return text.isEmpty() ? "no output" : text;
    }

    /** Sends SIGTERM, waits for the end and returns the exit code. After the timeout it is killed. */
    public int terminate(Duration timeout) throws IOException, InterruptedException {
        // Process.destroy() would close the streams before the last lines.
        process.toHandle().destroy();
        return awaitExit(timeout);
    }

    /** Waits for the end and returns the exit code. After the timeout it is killed. */
    public int awaitExit(Duration timeout) throws IOException, InterruptedException {
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            close();
            throw new IOException(name + " did not end in " + timeout.toSeconds() + " s: " + lastLines());
        }
        RUNNING.remove(process);
        return process.exitValue();
    }

    /** All of standard output, once the process has ended. */
    public List<String> out() throws InterruptedException {
        return out.all();
    }

    /** All of standard error, once the process has ended. */
    public List<String> err() throws InterruptedException {
        return err.all();
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** False once it has ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it and its descendants, if it still runs. */
    @Override
    public void close() {
        kill(process);
        RUNNING.remove(process);
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
