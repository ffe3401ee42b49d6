package io.millrace.bench.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedSinkTest {
    @TempDir
    private Path directory;

    @Test
    void growsByChunksAndIsTruncatedAfterTheLastLine() throws IOException {
        Path file = directory.resolve("lines");
        StringBuilder expected = new StringBuilder();
        try (MappedSink sink = MappedSink.open(file, 100)) {
            for (int i = 0; i < 1000; i++) {
                String text = "x".repeat(i % 100);
                expected.append(text).append('\n');
                sink.writeLine(StandardCharsets.US_ASCII.encode(text), InetAddress.getLoopbackAddress());
            }
            assertThat(sink.written()).isEqualTo(1000);
        }
        assertThat(file).hasContent(expected.toString());
    }

    @Test
    void leavesAnEmptyFileWithoutDatagrams() throws IOException {
        Path file = directory.resolve("lines");
        MappedSink.open(file, 100).close();
        assertThat(file).isEmptyFile();
    }
}
