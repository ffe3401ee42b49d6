package io.millrace.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
    private static final String PID = Long.toString(ProcessHandle.current().pid());

    @TempDir
    Path parent;

    @Test
    void openCreatesParentDirectoriesAndKeepsTheId() throws IOException {
        Path root = parent.resolve("a/b");
        long journalId;
        try (DataDirectory directory = DataDirectory.open(root)) {
            journalId = directory.meta().journalId();
            assertThat(directory.root()).isEqualTo(root);
            assertThat(root.resolve("journal")).isDirectory();
            assertThat(root.resolve("meta.json")).isRegularFile();
        }
        try (DataDirectory directory = DataDirectory.open(root)) {
            assertThat(directory.meta().journalId()).isEqualTo(journalId);
        }
    }

    @Test
    void secondOpenFailsAndNamesDirectoryAndProcess() throws IOException {
        try (DataDirectory first = DataDirectory.open(parent)) {
            for (Path again : new Path[] {parent, parent.resolve("journal/..")}) {
                assertThatIOException()
                        .isThrownBy(() -> DataDirectory.open(again))
                        .withMessageContaining(first.root().toString())
                        .withMessageContaining("in use")
                        .withMessageContaining("process " + PID);
            }
        }
        DataDirectory.open(parent).close();
    }

    @Test
    void otherProcessIsRefusedAfterAFailedAttemptOfThisProcess() throws IOException, InterruptedException {
        DataDirectory first = DataDirectory.open(parent);
        assertThatIOException().isThrownBy(() -> DataDirectory.open(parent));
        assertThat(OpenAttempt.inAnotherProcess(parent))
                .contains(parent.toString())
                .contains("in use")
                .contains("process " + PID);
        first.close();
        assertThat(OpenAttempt.inAnotherProcess(parent)).contains("opened");
    }

    @Test
    void otherProcessIsRefusedAfterTheLockFileWasRemoved() throws IOException, InterruptedException {
        try (DataDirectory first = DataDirectory.open(parent)) {
            Files.delete(parent.resolve("LOCK"));
            assertThat(OpenAttempt.inAnotherProcess(parent))
                    .contains(first.root().toString())
                    .contains("in use");
            assertThat(parent.resolve("LOCK")).doesNotExist();
        }
        assertThat(OpenAttempt.inAnotherProcess(parent)).contains("opened");
    }

    @Test
    void directoryIsFreeAfterItsProcessWasKilled() throws IOException, InterruptedException {
        Process holder = OpenAttempt.start(parent, "hold");
        try {
            assertThat(holder.inputReader().readLine()).contains("opened");
            Files.delete(parent.resolve("LOCK"));
            assertThatIOException().isThrownBy(() -> DataDirectory.open(parent)).withMessageContaining("in use");
        } finally {
            holder.destroyForcibly().waitFor();
        }
        DataDirectory.open(parent).close();
    }

    @Test
    void ownerIsTheProcessThatHoldsIt() throws IOException, InterruptedException {
        assertThat(DataDirectory.owner(parent)).isNull();
        Process holder = OpenAttempt.start(parent, "hold");
        try {
            assertThat(holder.inputReader().readLine()).contains("opened");
            assertThat(DataDirectory.owner(parent)).isEqualTo(Long.toString(holder.pid()));
        } finally {
            holder.destroyForcibly().waitFor();
        }
        assertThat(DataDirectory.owner(parent)).isNull();
    }

    /** A service that started at that moment failed: the other process held the lock while it looked. */
    @Test
    void askingForTheOwnerDoesNotPreventAnOpen() throws IOException, InterruptedException {
        DataDirectory.open(parent).close();
        Process looking = OpenAttempt.start(parent, "look");
        try {
            assertThat(looking.inputReader().readLine()).isEqualTo("null");
            for (int i = 0; i < 300; i++) {
                DataDirectory.open(parent).close();
            }
            assertThat(looking.isAlive()).isTrue();
        } finally {
            looking.destroyForcibly().waitFor();
        }
    }

    @Test
    void secondCloseDoesNotReleaseTheLockOfAnotherOwner() throws IOException {
        DataDirectory first = DataDirectory.open(parent);
        first.close();
        try (DataDirectory second = DataDirectory.open(parent)) {
            first.close();
            assertThatIOException()
                    .isThrownBy(() -> DataDirectory.open(parent))
                    .withMessageContaining(second.root().toString());
        }
    }

    @Test
    void failedOpenReleasesItsLocks() throws IOException {
        Path meta = parent.resolve("meta.json");
        Files.writeString(meta, "damaged");
        assertThatIOException().isThrownBy(() -> DataDirectory.open(parent)).withMessageContaining(meta.toString());
        Files.delete(meta);
        DataDirectory.open(parent).close();
    }

    @Test
    void fileInsteadOfADirectoryIsReported() throws IOException {
        Path file = Files.createFile(parent.resolve("file"));
        for (Path root : new Path[] {file, file.resolve("below")}) {
            assertThatIOException()
                    .isThrownBy(() -> DataDirectory.open(root))
                    .withMessageContaining("data directory " + root)
                    .withMessageContaining(file.toString());
        }
        Path odd = Files.createDirectory(parent.resolve("odd"));
        Files.createFile(odd.resolve("journal"));
        assertThatIOException()
                .isThrownBy(() -> DataDirectory.open(odd))
                .withMessageContaining("data directory " + odd);
    }

    @Test
    void directoryInsteadOfAFileIsReported() throws IOException {
        for (String name : new String[] {"LOCK", "meta.json"}) {
            Path root = parent.resolve("with-" + name);
            Files.createDirectories(root.resolve(name));
            assertThatIOException()
                    .as(name)
                    .isThrownBy(() -> DataDirectory.open(root))
                    .withMessageContaining(root.toString());
        }
    }

    @Test
    void missingPermissionIsReportedWithTheUser() throws IOException {
        Path root = Files.createDirectory(
                parent.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
        assumeFalse(Files.isWritable(root), "this user may write everywhere");
        assertThatIOException()
                .isThrownBy(() -> DataDirectory.open(root))
                .withMessageContaining("data directory " + root)
                .withMessageContaining(System.getProperty("user.name"));
    }
}
