package io.millrace.jni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Programs that tests run. */
final class Programs {
    private Programs() {}

    /** The exit code and the output of a program. */
    record Outcome(int code, String output) {
        /** Fails with the output if the exit code is not 0. */
        Outcome isOk() {
            assertThat(code).as(output).isZero();
            return this;
        }
    }

    /** Runs a program to its end. */
    static Outcome run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        CompletableFuture.delayedExecutor(5, TimeUnit.MINUTES).execute(process::destroyForcibly);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
    }

    /** True if a compiler makes a program of these options. */
    static boolean compiles(List<String> compiler, Path directory) throws InterruptedException {
        try {
            Path source = Files.writeString(
                    directory.resolve("empty.c"), "#include <stdio.h>\nint main(void) { return 0; }\n");
            return run(with(compiler, "-o", directory.resolve("empty").toString(), source.toString()))
                            .code()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** The command of a JVM with the service's options and a class path. */
    static List<String> java(String classPath, String... rest) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                "-XX:+UseSerialGC"));
        if (Runtime.version().feature() >= 24) {
            command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        }
        command.addAll(List.of("-cp", classPath));
        return with(command, rest);
    }

    /** A command with more arguments. */
    static List<String> with(List<String> first, String... rest) {
        List<String> command = new ArrayList<>(first);
        command.addAll(List.of(rest));
        return command;
    }
}
