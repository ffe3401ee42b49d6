package io.millrace.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class SmallFileTest {
    @TempDir
    private Path directory;

    @Test
    void readsRegularFilesAndLinksToThem() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "abc");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        assertThat(SmallFile.head(file, 10)).asString().isEqualTo("abc");
        assertThat(SmallFile.head(link, 2)).asString().isEqualTo("ab");
    }

    @Test
    void whatIsNoRegularFileIsNotOpened() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path link = Files.createSymbolicLink(directory.resolve("link"), pipe);
        for (Path each : new Path[] {pipe, link, Path.of("/dev/zero")}) {
            assertThatIOException()
                    .isThrownBy(() -> SmallFile.head(each, 10))
                    .isInstanceOf(SmallFile.NotRegularException.class)
                    .withMessage(each + " is a pipe, a socket or a device");
        }
        assertThatIOException().isThrownBy(() -> SmallFile.head(directory, 10)).withMessageEndingWith("is a directory");
        assertThatIOException()
                .isThrownBy(() -> SmallFile.head(directory.resolve("none"), 10))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void fileSystemThatHangsIsWaitedForOnce() throws Exception {
        Path file = directory.resolve("hanging");
        CountDownLatch answers = new CountDownLatch(1);
        assertThatIOException()
                .isThrownBy(() -> SmallFile.inTime(file, () -> {
                    answers.await();
                    return "late";
                }))
                .withMessage("its file system has not answered within 5 s");
        long startNs = System.nanoTime();
        assertThatIOException()
                .isThrownBy(() -> SmallFile.inTime(file, () -> "next"))
                .withMessageContaining("still waiting");
        assertThat(System.nanoTime() - startNs).isLessThan(1_000_000_000L);
        assertThat(SmallFile.inTime(directory.resolve("other"), () -> "of another file"))
                .isEqualTo("of another file");
        answers.countDown();
        String found = null;
        while (found == null) {
            try {
                found = SmallFile.inTime(file, () -> "again");
            } catch (IOException e) {
                Thread.sleep(10);
            }
        }
        assertThat(found).isEqualTo("again");
    }
}
