package io.millrace.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DropMarksTest {
    @TempDir
    private Path directory;

    private Path file;
    private final FakeSocket socket = new FakeSocket(100);

    @BeforeEach
    void socketHasDrops() {
        file = directory.resolve("sockets");
        socket.drops = 12;
    }

    private void write() throws IOException {
        DropMarks marks = DropMarks.none();
        marks.add(socket.cookie(), 5);
        marks.write(file);
    }

    @Test
    void storedMarkIsRead() throws IOException {
        write();
        assertThat(DropMarks.read(file).accountedDrops(socket)).isEqualTo(5);
    }

    /** After a reboot, another socket may have the same cookie. A mark above its drops would count as 4 billion drops. */
    @Test
    void marksOfAnotherBootAreIgnored() throws IOException {
        write();
        Files.writeString(file, Files.readString(file).replaceFirst("^\\S+", "00000000-0000-0000-0000-000000000000"));
        assertThat(DropMarks.read(file).accountedDrops(socket)).isEqualTo(12);
    }

    @Test
    void damagedOrEmptyFileIsIgnored() throws IOException {
        assertThat(DropMarks.read(file).accountedDrops(socket)).isEqualTo(12);
        Files.writeString(file, "");
        assertThat(DropMarks.read(file).accountedDrops(socket)).isEqualTo(12);
        write();
        Files.writeString(file, Files.readString(file) + "no number\n");
        assertThat(DropMarks.read(file).accountedDrops(socket)).isEqualTo(12);
    }

    @Test
    void failedWriteLeavesNoTemporaryFile() throws IOException {
        Files.createDirectories(file.resolve("in the way"));
        DropMarks marks = DropMarks.none();
        marks.add(socket.cookie(), 5);
        assertThatThrownBy(() -> marks.write(file)).isInstanceOf(IOException.class);
        assertThat(directory).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void writeWithoutMarksDeletesTheFile() throws IOException {
        write();
        DropMarks.none().write(file);
        assertThat(file).doesNotExist();
        DropMarks.forget(file);
    }
}
