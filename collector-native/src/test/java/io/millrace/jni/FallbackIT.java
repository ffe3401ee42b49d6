package io.millrace.jni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** If the transport native does not work, auto selects the next best and logs the reason in one line. */
@Tag("once")
class FallbackIT {
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private Path directory;

    private void takes(String transport, List<String> command, String because)
            throws IOException, InterruptedException {
        String output = Programs.run(
                        Programs.with(command, directory.resolve("data").toString()))
                .isOk()
                .output();
        assertThat(output).contains("took " + transport);
        assertThat(output.lines().filter(line -> line.contains("Transport native does not work here")))
                .singleElement()
                .asString()
                .contains(because);
    }

    /** The class path without the classes or the jar of the module. */
    private static String classPathWithoutIt() {
        return Arrays.stream(CLASS_PATH.split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains("collector-native/target/") || entry.contains("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void epollIsUsedWithoutTheModule() throws IOException, InterruptedException {
        // The test classes of the module stay: they contain the class that starts the collector.
        takes(
                "epoll",
                Programs.java(classPathWithoutIt(), AutoRun.class.getName()),
                "collector-native is not on the class path");
    }

    @Test
    void epollIsUsedIfTheBuildHadNoCompiler() throws IOException, InterruptedException {
        Path classes = directory.resolve("classes");
        Path built = Path.of("target", "classes").toAbsolutePath();
        try (Stream<Path> files = Files.walk(built)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.toString().endsWith(".so")) {
                    Path copy = classes.resolve(built.relativize(file));
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
        }
        String classPath = classes + File.pathSeparator + classPathWithoutIt();
        takes("epoll", Programs.java(classPath, AutoRun.class.getName()), "this build has no library for linux-");
    }

    @Test
    void nioIsUsedIfTheKernelRefusesRecvmmsg() throws IOException, InterruptedException {
        Library.isNeeded();
        List<String> compiler = List.of("cc", "-Wall", "-Wextra", "-Werror");
        Assumptions.assumeTrue(Programs.compiles(compiler, directory), "no C compiler");
        Path refuse = directory.resolve("refuse_recvmmsg");
        Programs.run(Programs.with(compiler, "-o", refuse.toString(), "src/test/c/refuse_recvmmsg.c"))
                .isOk();
        List<String> java = Programs.java(CLASS_PATH, AutoRun.class.getName());
        // Netty's epoll makes the same call.
        takes(
                "nio",
                Programs.with(List.of(refuse.toString()), java.toArray(String[]::new)),
                "the kernel probe failed: operation not permitted (EPERM)");
    }

    @Test
    void epollIsUsedIfTheLibraryCannotBeLoaded() throws IOException, InterruptedException {
        Library.isNeeded();
        takes(
                "epoll",
                Programs.java(
                        CLASS_PATH,
                        "-Dmillrace.native.library=" + directory.resolve("none.so"),
                        AutoRun.class.getName()),
                "millrace.native.library cannot be loaded");
    }

    @Test
    void nothingIsLeftInTheTemporaryDirectory() throws IOException, InterruptedException {
        Library.isNeeded();
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        String output = Programs.run(Programs.java(
                        CLASS_PATH,
                        "-Djava.io.tmpdir=" + temporary,
                        AutoRun.class.getName(),
                        directory.resolve("data").toString()))
                .isOk()
                .output();
        assertThat(output).contains("took native");
        assertThat(temporary).isDirectoryNotContaining("glob:**/millrace*");
    }
}
