package io.millrace.bench;

import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import io.millrace.internal.linux.ProcText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A process of the project's own, as a user runs it, for a test: what it does not do in time fails the test. */
class Forked implements AutoCloseable {
    /** Under nohup these tests ignore SIGHUP, and so would a JVM that they start. */
    private static final List<String> SIGNALS = ignoresHangup() ? List.of("env", "--default-signal=HUP") : List.of();

    private final ChildProcess process;

    private Forked(ChildProcess process) {
        this.process = process;
    }

    static Forked start(List<String> command) {
        try {
            return new Forked(ChildProcess.start(command.get(0), command));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code millrace …}: the service's jar. */
    static Forked millrace(List<String> prefix, String... args) {
        return start(command(prefix, "collector-app/target/millrace.jar", args));
    }

    /** {@code millrace send …}: the sender's jar. It sends all of what it is asked for; no rate is asked of the host. */
    static Forked send(List<String> prefix, String... args) {
        List<String> command = command(prefix, "sender-tool/target/millrace-send.jar", args);
        command.addAll(List.of("--tolerate", "100"));
        return start(command);
    }

    /** The same in bursts: a sender that waits for the time of each message spins most of the time, and a load needs no exact times. */
    static Forked load(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--burst", "20"));
        return send(List.of(), all.toArray(String[]::new));
    }

    /** rsyslog in the foreground; its files are beside the configuration. */
    static Forked rsyslog(Path config) {
        String pid = config.resolveSibling("rsyslog.pid").toString();
        return start(List.of("rsyslogd", "-n", "-f", config.toString(), "-i", pid));
    }

    /** syslog-ng in the foreground; its files are beside the configuration. */
    static Forked syslogNg(Path config) {
        List<String> command = new ArrayList<>(List.of("syslog-ng", "-F", "--no-caps", "-f", config.toString()));
        Map.of("-R", "persist", "-p", "pid", "-c", "ctl")
                .forEach((option, file) -> command.addAll(
                        List.of(option, config.resolveSibling(file).toString())));
        return start(command);
    }

    /** The command {@code java} for a process that no test measures. */
    static List<String> java() {
        List<String> command = new ArrayList<>(Programs.java());
        String compiler = System.getProperty("millrace.it.compiler", "");
        if (!compiler.isEmpty()) {
            command.add(compiler);
        }
        return command;
    }

    static List<String> command(List<String> prefix, String jar, String... args) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(SIGNALS);
        command.addAll(java());
        command.add("-jar");
        command.add(Path.of("..").resolve(jar).toAbsolutePath().normalize().toString());
        command.addAll(List.of(args));
        return command;
    }

    private static boolean ignoresHangup() {
        try {
            String ignored = ProcText.field(Files.readString(Path.of("/proc/self/status")), "SigIgn");
            return ignored != null && (Long.parseUnsignedLong(ignored, 16) & 1) == 1;
        } catch (IOException e) {
            return false;
        }
    }

    /** True if the program is on the PATH. */
    static boolean isInstalled(String program) {
        return Programs.find(program).isPresent();
    }

    /** Waits for a line on standard error. */
    String awaitErr(String part, Duration timeout) throws InterruptedException {
        try {
            return process.awaitErr(line -> line.contains(part), timeout);
        } catch (IOException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /** Waits for a line on standard output. */
    String awaitOut(Predicate<String> wanted, Duration timeout) throws InterruptedException {
        try {
            return process.awaitOut(wanted, timeout);
        } catch (IOException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /** Waits for the end; its exit code. */
    int awaitExit(Duration timeout) throws InterruptedException {
        try {
            return process.awaitExit(timeout);
        } catch (IOException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    /** All of standard output, once the process has ended. */
    List<String> out() throws InterruptedException {
        return process.out();
    }

    /** All of standard error, once the process has ended. */
    List<String> err() throws InterruptedException {
        return process.err();
    }

    /** Sends a signal to the process itself, not to what forked it. */
    void signal(String name) throws IOException, InterruptedException {
        signal(process.pid(), name);
    }

    static void signal(long pid, String name) throws IOException, InterruptedException {
        // The shell's own: the program is in a package that not every system has.
        int code = new ProcessBuilder("sh", "-c", "kill -$0 $1", name, Long.toString(pid))
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
        process.close();
    }
}
