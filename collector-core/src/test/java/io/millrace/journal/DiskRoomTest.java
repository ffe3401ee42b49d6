package io.millrace.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import org.junit.jupiter.api.Test;

class DiskRoomTest {
    private static final long MIB = 1 << 20;
    private static final long RESERVE = 64 * MIB;

    private final FakeDisk disk = new FakeDisk();
    private final DiskRoom room = new DiskRoom(disk, RESERVE);

    /** A disk with as much room as the test says, and nothing else. */
    private static final class FakeDisk extends FileStore {
        long usable;
        int looks;
        boolean fails;

        @Override
        public long getUsableSpace() throws IOException {
            looks++;
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
    void diskIsLookedAtOnceAStretch() throws IOException {
        disk.usable = 1000 * MIB;
        for (int i = 0; i < 32; i++) {
            assertThat(room.take(MIB)).isTrue();
        }
        assertThat(disk.looks).isEqualTo(2);
    }

    @Test
    void reserveIsNotGivenAway() throws IOException {
        disk.usable = RESERVE + 16 * MIB - 1;
        assertThat(room.take(1)).isFalse();
        disk.usable++;
        assertThat(room.take(1)).isTrue();
    }

    @Test
    void fullDiskIsLookedAtEachTimeAndGoesOnByItselfWhenThereIsRoom() throws IOException {
        for (int i = 1; i <= 3; i++) {
            assertThat(room.take(100)).isFalse();
            assertThat(disk.looks).isEqualTo(i);
        }
        disk.usable = 1000 * MIB;
        assertThat(room.take(100)).isTrue();
    }

    @Test
    void appendLongerThanAStretchNeedsRoomOfItsOwn() throws IOException {
        disk.usable = RESERVE + 20 * MIB;
        assertThat(room.take(20 * MIB + 1)).isFalse();
        assertThat(room.take(20 * MIB)).isTrue();
    }

    @Test
    void diskThatDoesNotAnswerIsAnError() throws IOException {
        disk.fails = true;
        assertThatIOException().isThrownBy(() -> room.take(1)).withMessage("no answer from the disk");
        disk.fails = false;
        disk.usable = 1000 * MIB;
        assertThat(room.take(1)).isTrue();
    }
}
