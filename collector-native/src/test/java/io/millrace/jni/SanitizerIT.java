package io.millrace.jni;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The C code with AddressSanitizer and UndefinedBehaviorSanitizer: in a C program, and in a JVM with the transport contract. */
@Tag("once")
@Tag("full")
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
    void needsSanitizers() throws InterruptedException {
        boolean there = Programs.compiles(SANITIZED, directory);
        if (!there) {
            System.err.println("skipped: no C compiler with sanitizers");
        }
        Assumptions.assumeTrue(there, "no C compiler with sanitizers");
    }

    @Test
    void receiveTestPassesWithSanitizers() throws IOException, InterruptedException {
        Path program = directory.resolve("receive_test");
        List<String> compile =
                Programs.with(SANITIZED, "-o", program.toString(), "src/test/c/receive_test.c", "src/main/c/receive.c");
        for (String call : List.of(
                "socket", "bind", "getsockname", "setsockopt", "sendto", "recvmmsg", "ioctl", "malloc", "calloc")) {
            compile.add("-Wl,--wrap=" + call);
        }
        Programs.run(compile).isOk();
        long seed = System.nanoTime() & 0xffff_ffffL;
        Programs.run(List.of(program.toString(), Long.toString(seed))).isOk();
    }

    @Test
    void transportContractPassesWithSanitizers() throws IOException, InterruptedException {
        Path library = directory.resolve("libmillrace.so");
        String jdk = System.getProperty("java.home");
        Programs.run(Programs.with(
                        SANITIZED,
                        "-fPIC",
                        "-shared",
                        "-I" + jdk + "/include",
                        "-I" + jdk + "/include/linux",
                        "-Itarget/jni",
                        "-o",
                        library.toString(),
                        "src/main/c/receive.c",
                        "src/main/c/jni.c"))
                .isOk();
        // Preloaded, because the sanitizer must be loaded before the JVM allocates memory.
        String preloaded = Programs.run(List.of("cc", "-print-file-name=libasan.so"))
                .output()
                .strip();
        List<String> java = Programs.java(
                System.getProperty("java.class.path"),
                "-Dmillrace.native.library=" + library,
                ContractRun.class.getName());
        List<String> command = Programs.with(
                List.of(
                        "env",
                        "LD_PRELOAD=" + preloaded,
                        "ASAN_OPTIONS=handle_segv=0:detect_leaks=0:allow_user_segv_handler=1"),
                java.toArray(String[]::new));
        Programs.run(command).isOk();
    }
}
