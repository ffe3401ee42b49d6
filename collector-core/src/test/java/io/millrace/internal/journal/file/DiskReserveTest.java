package io.millrace.internal.journal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DiskReserveTest {
    private static final long MIB = 1 << 20;

    private long usable;
    private boolean fails;
    private final DiskReserve room = new DiskReserve(Path.of("data"), () -> {
        if (fails) {
            throw new IOException("no answer from the disk");
        }
        return usable;
    });

    @Test
    void missingDirectoryIsAnError() {
        assertThatIOException()
                .isThrownBy(() -> DiskReserve.usableBytes(Path.of("no", "such", "directory")))
                .withMessageContaining("no/such/directory");
    }

    @Test
    void spaceBeyondTheReserveCanBeUsed() throws IOException {
        usable = DiskReserve.RESERVE_BYTES + 20 * MIB;
        room.require(20 * MIB);
        assertThatIOException()
                .isThrownBy(() -> room.require(20 * MIB + 1))
                .isInstanceOf(DiskFullException.class)
                .withMessage("37 MiB must be free for data, but only 36 MiB are");
        usable++;
        room.require(20 * MIB + 1);
    }

    @Test
    void diskErrorIsNotAFullDisk() {
        fails = true;
        assertThatIOException()
                .isThrownBy(() -> room.require(1))
                .withMessage("no answer from the disk")
                .matches(e -> !DiskFullException.is(e));
    }

    @Test
    void messagesOfAFullDiskAreRecognized() {
        assertThat(DiskFullException.is(new IOException("No space left on device")))
                .isTrue();
        assertThat(DiskFullException.is(new IOException("/data/x: Disk quota exceeded")))
                .isTrue();
        assertThat(DiskFullException.is(new IOException("Input/output error"))).isFalse();
    }
}
