package io.millrace.jni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code in C under AddressSanitizer and UndefinedBehaviorSanitizer: by itself, and in a JVM under the contract. */
class SanitizerIT {
    private static final List<String> SANITIZED = List.of(
            "cc",
            "-std=gnu11",
            "-g",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fno-omit-frame-pointer",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all");

    @TempDir
    private Path directory;

    @BeforeEach
    void needsSanitizers() throws IOException, InterruptedException {
        Path source = Files.writeString(directory.resolve("empty.c"), "int main(void) { return 0; }\n");
        boolean there;
        try {
            there = run(command(SANITIZED, "-o", directory.resolve("empty").toString(), source.toString()))
                            .code()
                    == 0;
        } catch (IOException e) {
            there = false;
        }
        if (!there) {
            System.err.println("skipped: no C compiler with sanitizers");
        }
        Assumptions.assumeTrue(there, "no C compiler with sanitizers");
    }

    @Test
    void anyDatagramAndAnyCallThatFails() throws IOException, InterruptedException {
        Path program = directory.resolve("receive_test");
        List<String> compile =
                command(SANITIZED, "-o", program.toString(), "src/test/c/receive_test.c", "src/main/c/receive.c");
        for (String call :
                List.of("socket", "bind", "getsockname", "setsockopt", "sendto", "recvmmsg", "malloc", "calloc")) {
            compile.add("-Wl,--wrap=" + call);
        }
        assertOk(run(compile));
        long seed = System.nanoTime() & 0xffff_ffffL;
        assertOk(run(List.of(program.toString(), Long.toString(seed))));
    }

    @Test
    void theContractOfTransports() throws IOException, InterruptedException {
        Path library = directory.resolve("libmillrace.so");
        String jdk = System.getProperty("java.home");
        assertOk(run(command(
                SANITIZED,
                "-fPIC",
                "-shared",
                "-I" + jdk + "/include",
                "-I" + jdk + "/include/linux",
                "-Itarget/jni",
                "-o",
                library.toString(),
                "src/main/c/receive.c",
                "src/main/c/jni.c")));
        // Preloaded, because the sanitizer must be there before the JVM allocates anything.
        String preloaded =
                run(List.of("cc", "-print-file-name=libasan.so")).output().strip();
        List<String> command = new ArrayList<>(List.of(
                "env",
                "LD_PRELOAD=" + preloaded,
                "ASAN_OPTIONS=handle_segv=0:detect_leaks=0:allow_user_segv_handler=1",
                Path.of(jdk, "bin", "java").toString(),
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                "-XX:+UseSerialGC"));
        if (Runtime.version().feature() >= 24) {
            command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        }
        command.addAll(List.of(
                "-Dmillrace.native.library=" + library,
                "-cp",
                System.getProperty("java.class.path"),
                ContractRun.class.getName()));
        assertOk(run(command));
    }

    private static List<String> command(List<String> first, String... rest) {
        List<String> command = new ArrayList<>(first);
        command.addAll(List.of(rest));
        return command;
    }

    private static void assertOk(Outcome outcome) {
        assertThat(outcome.code()).as(outcome.output()).isZero();
    }

    /** How a program ended, and all it said. */
    private record Outcome(int code, String output) {}

    private static Outcome run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), output);
    }
}
