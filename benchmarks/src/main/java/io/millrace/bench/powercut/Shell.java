package io.millrace.bench.powercut;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Short commands of the host. Unlike a {@code ChildProcess} they can run while this JVM ends, to clean up. */
final class Shell {
    private static final int TIMEOUT_SECONDS = 60;

    private Shell() {}

    /**
     * Runs a command and returns its standard output without the line end.
     *
     * @throws IOException with its output if it fails
     */
    static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + " failed: " + output);
            }
            return output;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(command.get(0) + " was interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    static String run(String... command) throws IOException {
        return run(List.of(command));
    }
}
