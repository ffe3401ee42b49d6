package io.millrace.sender.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilePayloadsTest {
    @TempDir
    private Path folder;

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("lines"), content, ISO_8859_1);
    }

    private static List<String> first(Payloads payloads, int count) {
        List<String> made = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.allocateDirect(payloads.maxBytes() + 1);
        for (int n = 0; n < count; n++) {
            byte[] bytes = new byte[payloads.put(buffer, 1, n, 0, n, 0)];
            buffer.get(1, bytes);
            made.add(new String(bytes, ISO_8859_1));
        }
        return made;
    }

    @Test
    void sendsLinesInOrderRepeatedly() throws IOException {
        FilePayloads lines = FilePayloads.ofLines(file("one\n\u00ff\u0000\r\n\nlast"));
        assertThat(lines.size()).isEqualTo(3);
        assertThat(first(lines, 5)).containsExactly("one", "\u00ff\u0000\r", "last", "one", "\u00ff\u0000\r");
    }

    @Test
    void rejectsLinesLongerThanADatagram() throws IOException {
        assertThat(FilePayloads.ofLines(file("a\n" + "x".repeat(65_507) + "\n")).maxBytes())
                .isEqualTo(65_507);
        Path tooLong = file("a\n\n" + "x".repeat(65_508) + "\n");
        assertThatThrownBy(() -> FilePayloads.ofLines(tooLong))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("lines: line 3 has 65,508 bytes; the maximum of a datagram is 65,507");
    }

    @Test
    void rejectsAFileWithoutLines() throws IOException {
        for (String content : List.of("", "\n\n")) {
            Path empty = file(content);
            assertThatThrownBy(() -> FilePayloads.ofLines(empty)).hasMessageContaining("contains no line");
        }
        assertThatThrownBy(() -> FilePayloads.ofLines(folder.resolve("none"))).hasMessageContaining("does not exist");
        assertThatThrownBy(() -> FilePayloads.ofLines(folder)).hasMessageContaining("is not a regular file");
    }
}
