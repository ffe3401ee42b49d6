package io.millrace.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.junit.jupiter.api.Test;

class DiskRoomTest {
    private static final long MIB = 1 << 20;

    private final FakeDisk disk = new FakeDisk();
    private final DiskRoom room = new DiskRoom(Path.of("data"), disk);

    /** A disk with as much room as the test says, and nothing else. */
    private static final class FakeDisk extends FileStore {
        long usable;
        boolean fails;

        @Override
        public long getUsableSpace() throws IOException {
            if (fails) {
                throw new IOException("no answer from the disk");
            }
            return usable;
        }

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public String type() {
            return "fake";
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public long getTotalSpace() {
            return Long.MAX_VALUE;
        }

        @Override
        public long getUnallocatedSpace() {
            return usable;
        }

        @Override
        public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
            return false;
        }

        @Override
        public boolean supportsFileAttributeView(String name) {
            return false;
        }

        @Override
        public <V extends FileStoreAttributeView> V getFileStoreAttributeView(Class<V> type) {
            return null;
        }

        @Override
        public Object getAttribute(String attribute) {
            throw new UnsupportedOperationException(attribute);
        }
    }

    @Test
    void whatIsFreeBeyondTheReserveMayBeTaken() throws IOException {
        disk.usable = DiskRoom.RESERVE_BYTES + 20 * MIB;
        room.require(20 * MIB);
        assertThatIOException()
                .isThrownBy(() -> room.require(20 * MIB + 1))
                .isInstanceOf(NoRoomException.class)
                .withMessage("37 MiB must be free for data, and 36 are");
        disk.usable++;
        room.require(20 * MIB + 1);
    }

    @Test
    void diskThatDoesNotAnswerIsAnErrorButNotAFullOne() {
        disk.fails = true;
        assertThatIOException()
                .isThrownBy(() -> room.require(1))
                .withMessage("no answer from the disk")
                .matches(e -> !NoRoomException.is(e));
    }

    @Test
    void whatWritesSayOfAFullDiskIsUnderstood() {
        assertThat(NoRoomException.is(new IOException("No space left on device")))
                .isTrue();
        assertThat(NoRoomException.is(new IOException("/data/x: Disk quota exceeded")))
                .isTrue();
        assertThat(NoRoomException.is(new IOException("Input/output error"))).isFalse();
    }
}
