package io.millrace.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A process of the project's own, as a user runs it, whose output is gathered line by line. */
class Forked implements AutoCloseable {
    private final Process process;
    private final Output out;
    private final Output err;

    private Forked(Process process) {
        this.process = process;
        this.out = new Output(process.getInputStream());
        this.err = new Output(process.getErrorStream());
    }

    /** Lines of one stream, read by a thread of their own. */
    private static final class Output {
        private final List<String> lines = new ArrayList<>();
        private final Thread reader;
        private boolean ended;

        Output(InputStream stream) {
            reader = new Thread(() -> read(stream), "output");
            reader.setDaemon(true);
            reader.start();
        }

        private void read(InputStream stream) {
            try (BufferedReader in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    add(line);
                }
            } catch (IOException closed) {
                // The process is gone.
            } finally {
                end();
            }
        }

        private synchronized void add(String line) {
            lines.add(line);
            notifyAll();
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

        synchronized String await(Predicate<String> wanted, Duration timeout) throws InterruptedException {
            long end = System.nanoTime() + timeout.toNanos();
            int next = 0;
            while (true) {
                for (; next < lines.size(); next++) {
                    if (wanted.test(lines.get(next))) {
                        return lines.get(next);
                    }
                }
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (ended || left <= 0) {
                    throw new AssertionError("did not say what was waited for: " + lines);
                }
                wait(left);
            }
        }
    }

    static Forked start(List<String> command) {
        try {
            return new Forked(new ProcessBuilder(command).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code millrace …}: the service's jar. */
    static Forked millrace(List<String> prefix, String... args) {
        return start(command(prefix, "collector-app/target/millrace.jar", args));
    }

    /** {@code millrace send …}: the sender's jar. */
    static Forked send(List<String> prefix, String... args) {
        return start(command(prefix, "sender-tool/target/millrace-send.jar", args));
    }

    static List<String> command(List<String> prefix, String jar, String... args) {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xms64m", "-Xmx512m"));
        if (Runtime.version().feature() >= 24) {
            command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        }
        command.add("-jar");
        command.add(Path.of("..").resolve(jar).toAbsolutePath().normalize().toString());
        command.addAll(List.of(args));
        return command;
    }

    /** True if the program is on the PATH. */
    static boolean isInstalled(String program) {
        for (String directory : (System.getenv("PATH") + ":/usr/sbin:/sbin").split(":", -1)) {
            if (Path.of(directory, program).toFile().canExecute()) {
                return true;
            }
        }
        return false;
    }

    /** Waits for a line on standard error. */
    String awaitErr(String part, Duration timeout) throws InterruptedException {
        return err.await(line -> line.contains(part), timeout);
    }

    /** Waits for a line on standard output. */
    String awaitOut(Predicate<String> wanted, Duration timeout) throws InterruptedException {
        return out.await(wanted, timeout);
    }

    /** Waits for the end; its exit code. */
    int awaitExit(Duration timeout) throws InterruptedException {
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("did not end in " + timeout);
        }
        return process.exitValue();
    }

    /** All of standard output, once the process has ended. */
    List<String> out() throws InterruptedException {
        return out.all();
    }

    /** All of standard error, once the process has ended. */
    List<String> err() throws InterruptedException {
        return err.all();
    }

    /** Sends a signal by name, for example STOP. To the process itself, not to what forked it. */
    void signal(String name) throws IOException, InterruptedException {
        signal(process.pid(), name);
    }

    static void signal(long pid, String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                .start()
                .waitFor();
        if (code != 0) {
            throw new AssertionError("kill -" + name + " " + pid + " failed");
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it, and what it forked, if it is still there. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
