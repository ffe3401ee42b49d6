package io.millrace.app.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program: gets the JSON on standard input, and must end with exit code 0. Its standard error is the service's. */
final class AlertCommand implements AlertTarget {
    private final List<String> command;
    private final Duration timeout;

    AlertCommand(List<String> command) {
        this(command, TIMEOUT);
    }

    AlertCommand(List<String> command, Duration timeout) {
        this.command = List.copyOf(command);
        this.timeout = timeout;
    }

    @Override
    public String send(String json) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.INHERIT)
                .start();
        try {
            write(process, json);
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(
                        command.get(0) + " did not end within " + timeout.toMillis() + " ms, and was killed");
            }
            if (process.exitValue() != 0) {
                throw new IOException(command.get(0) + " ended with exit code " + process.exitValue());
            }
            return command.get(0) + " ended with exit code 0";
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    /** A notification is shorter than what a pipe holds, so this does not wait for the program. */
    private static void write(Process process, String json) {
        try (OutputStream in = process.getOutputStream()) {
            in.write((json + "\n").getBytes(UTF_8));
        } catch (IOException notRead) {
            // A program may end without reading its input; its exit code says whether it succeeded.
        }
    }
}
