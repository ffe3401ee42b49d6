package io.millrace.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedMemoryTest {
    private static final int BYTES = 1 << 20;

    @TempDir
    private Path directory;

    @Test
    void populateMapsPagesAndKeepsTheirContent() throws IOException {
        Path file = directory.resolve("mapped");
        Files.write(file, new byte[BYTES]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
            memory.put(BYTES / 2, (byte) 7);
            long address = PlatformDependent.directBufferAddress(memory);
            String[] kernel = System.getProperty("os.version").split("\\.", 3);
            int version = 1000 * Integer.parseInt(kernel[0]) + Integer.parseInt(kernel[1]);
            assumeTrue(version >= 5014, "a kernel before 5.14");
            assertThat(MappedMemory.populate(address, BYTES)).isTrue();
            assertThat(memory.get(BYTES / 2)).isEqualTo((byte) 7);
            assertThat(memory.get(BYTES - 1)).isZero();
        }
    }

    @Test
    void populateOfUnmappedMemoryReturnsFalse() {
        assertThat(MappedMemory.populate(0, BYTES)).isFalse();
    }

    @Test
    void populateOfAnAddressWithinAPageReturnsFalse() {
        assertThat(MappedMemory.populate(1, BYTES)).isFalse();
    }
}
