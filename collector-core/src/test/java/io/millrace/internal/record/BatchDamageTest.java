package io.millrace.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.journal.UnknownVersionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class BatchDamageTest {
    private final ByteBuffer batch =
            TestDatagram.batchOf(TestDatagram.of("one"), TestDatagram.of("two").from(new byte[16], 7, 99));
    private final int length = batch.limit();

    @Test
    void everyFlippedBitIsFound() {
        assertThat(check()).isEqualTo(BatchView.Health.OK);
        for (int bit = 0; bit < 8 * length; bit++) {
            flip(bit);
            assertThat(check()).as("bit %d flipped", bit).isNotEqualTo(BatchView.Health.OK);
            flip(bit);
        }
        assertThat(check()).isEqualTo(BatchView.Health.OK);
    }

    @Test
    void everyTruncatedBatchIsFound() {
        for (int available = 0; available < length; available++) {
            BatchView view = new BatchView().wrap(batch, 0, available);
            assertThat(view.check())
                    .as("%d of %d bytes", available, length)
                    .isEqualTo(available < 64 ? BatchView.Health.NOT_A_BATCH : BatchView.Health.CUT_OFF);
        }
    }

    @Test
    void unknownVersionIsReportedWithItsNumber() {
        batch.put(BatchLayout.VERSION, (byte) 3);
        sum();
        assertThat(check()).isEqualTo(BatchView.Health.UNKNOWN_VERSION);
        BatchView view = new BatchView().wrap(batch, 0, length);
        assertThat(view.version()).isEqualTo(3);
        assertThatExceptionOfType(UnknownVersionException.class)
                .isThrownBy(view::isGood)
                .withMessageContaining("version 3")
                .withMessageContaining("up to version 2");
    }

    @Test
    void versionChangedByDamageIsDamage() {
        batch.put(BatchLayout.VERSION, (byte) 3);
        assertThat(check()).isEqualTo(BatchView.Health.BAD_CHECKSUM);
        assertThat(new BatchView().wrap(batch, 0, length).isGood()).isFalse();
        for (int body : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, length}) {
            batch.putInt(BatchLayout.BODY_LENGTH, body);
            assertThat(check()).as("body %d", body).isEqualTo(BatchView.Health.BAD_CHECKSUM);
        }
    }

    @Test
    void unknownHeaderLengthIsRejected() {
        batch.put(BatchLayout.HEADER_LENGTH, (byte) 72);
        sum();
        assertThat(check()).isEqualTo(BatchView.Health.UNKNOWN_VERSION);
    }

    @Test
    void otherBytesAreNoBatch() {
        assertThat(new BatchView().wrap(ByteBuffer.allocate(1000), 0, 1000).check())
                .isEqualTo(BatchView.Health.NOT_A_BATCH);
        assertThat(new BatchView().check()).isEqualTo(BatchView.Health.NOT_A_BATCH);
    }

    @Test
    void negativeLengthIsFound() {
        batch.putInt(BatchLayout.BODY_LENGTH, -8);
        sum();
        assertThat(check()).isEqualTo(BatchView.Health.CUT_OFF);
    }

    @Test
    void inconsistentFramesAreFoundDespiteACorrectChecksum() {
        for (int count : new int[] {-1, 0, 1, 3, Integer.MAX_VALUE}) {
            batch.putInt(BatchLayout.COUNT, count);
            sum();
            assertThat(check()).as("count %d", count).isEqualTo(BatchView.Health.BAD_FRAMES);
        }
        batch.putInt(BatchLayout.COUNT, 2);
        batch.putShort(64 + BatchLayout.FRAME_STORED_LENGTH, (short) 0xffff);
        sum();
        assertThat(check()).isEqualTo(BatchView.Health.BAD_FRAMES);
    }

    @Test
    void impossibleNumbersAreFoundDespiteACorrectChecksum() {
        for (long first : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 1}) {
            batch.putLong(BatchLayout.FIRST_SEQUENCE, first);
            sum();
            assertThat(check()).as("first number %d", first).isEqualTo(BatchView.Health.BAD_FRAMES);
        }
        ByteBuffer empty = batch.putLong(BatchLayout.FIRST_SEQUENCE, 5)
                .putInt(BatchLayout.BODY_LENGTH, 0)
                .putInt(BatchLayout.COUNT, -1);
        CRC32C crc = new CRC32C();
        crc.update(empty.duplicate().clear().limit(BatchLayout.HEADER_BYTES).position(4));
        empty.putInt(0, (int) crc.getValue());
        assertThat(check()).isEqualTo(BatchView.Health.BAD_FRAMES);
    }

    @Test
    void extendedFrameInABatchOfVersion1IsDamage() {
        batch.put(64 + BatchLayout.FRAME_FLAGS, (byte) BatchLayout.FLAG_EXTENDED);
        sum();
        assertThat(check()).isEqualTo(BatchView.Health.BAD_FRAMES);
    }

    @Test
    void checkLeavesPositionAndLimitOfTheMemory() {
        batch.limit(length - 1).position(5);
        assertThat(check()).isEqualTo(BatchView.Health.OK);
        assertThat(batch.position()).isEqualTo(5);
        assertThat(batch.limit()).isEqualTo(length - 1);
    }

    private BatchView.Health check() {
        return new BatchView().wrap(batch, 0, length).check();
    }

    private void flip(int bit) {
        int index = bit / 8;
        batch.put(index, (byte) (batch.get(index) ^ (1 << bit % 8)));
    }

    /** Updates the checksum. */
    private void sum() {
        CRC32C crc = new CRC32C();
        crc.update(batch.duplicate().clear().limit(length).position(4));
        batch.order(ByteOrder.LITTLE_ENDIAN).putInt(0, (int) crc.getValue());
    }
}
