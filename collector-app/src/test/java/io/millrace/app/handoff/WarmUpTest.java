package io.millrace.app.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.linux.DirectoryLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpTest {
    @TempDir
    private Path temporary;

    @Test
    void deletesOnlyUnusedDirectoriesOfKilledProcesses() throws IOException {
        Path left = leftover("millrace-warm-up-1");
        Path used = leftover("millrace-warm-up-2");
        Path other = leftover("something-else");
        Path linked = leftover("linked");
        Path link = Files.createSymbolicLink(temporary.resolve("millrace-warm-up-3"), linked);
        try (DirectoryLock lock = DirectoryLock.tryLock(used)) {
            assertThat(lock).isNotNull();
            WarmUp.removeLeftovers(temporary);
            assertThat(left).doesNotExist();
            assertThat(used.resolve("data/LOCK")).exists();
        }
        assertThat(other.resolve("data/LOCK")).exists();
        assertThat(link.resolve("data/LOCK")).exists();
        WarmUp.removeLeftovers(temporary);
        assertThat(used).doesNotExist();
    }

    @Test
    void missingTemporaryDirectoryDoesNotPreventTheStart() {
        WarmUp.removeLeftovers(temporary.resolve("missing"));
        assertThat(temporary).isEmptyDirectory();
    }

    private Path leftover(String name) throws IOException {
        Path directory = Files.createDirectories(temporary.resolve(name));
        Files.writeString(Files.createDirectory(directory.resolve("data")).resolve("LOCK"), "1\n");
        return directory;
    }
}
