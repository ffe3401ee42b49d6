package io.millrace.internal.journal.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ZerosTest {
    private static final int LENGTH = 200_000;

    @Test
    void countEndsAtTheFirstOtherByte() {
        ByteBuffer memory = ByteBuffer.allocateDirect(LENGTH);
        for (int from : new int[] {0, 1, 7, 65_535, 65_537}) {
            for (int zeros : new int[] {0, 1, 3, 4, 65_535, 65_536, 65_537, 131_072}) {
                memory.put(from + zeros, (byte) 1);
                assertThat(Zeros.count(memory, from, LENGTH)).isEqualTo(zeros);
                memory.put(from + zeros, (byte) 0);
            }
        }
    }

    @Test
    void countEndsAtTheLimit() {
        ByteBuffer memory = ByteBuffer.allocateDirect(LENGTH);
        memory.put(99_999, (byte) 1).put(100_100, (byte) 1);
        assertThat(Zeros.count(memory, 100_000, 100_004)).isEqualTo(4);
        assertThat(Zeros.count(memory, 100_000, 100_000)).isZero();
        assertThat(Zeros.count(memory, 100_101, LENGTH)).isEqualTo(LENGTH - 100_101);
    }
}
