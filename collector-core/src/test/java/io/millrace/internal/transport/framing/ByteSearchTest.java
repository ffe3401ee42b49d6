package io.millrace.internal.transport.framing;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteSearchTest {
    /** The bytes that are searched for, and bytes that differ from them in a few bits. */
    private static final byte[] ALPHABET = {0, 1, 2, 8, 9, 10, 11, 'a', 'b', (byte) 0x80, (byte) 0x8a, (byte) 0xff};

    private final Random random = TestSeed.random(ByteSearchTest.class);

    @Test
    void findsTheFirstMatch() {
        byte[] bytes = new byte[64];
        ByteBuffer memory = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 200_000; i++) {
            boolean rare = random.nextBoolean();
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = rare && random.nextInt(20) > 0 ? (byte) 'x' : ALPHABET[random.nextInt(ALPHABET.length)];
            }
            int from = random.nextInt(bytes.length);
            int to = from + random.nextInt(bytes.length - from + 1);
            byte wanted = ALPHABET[random.nextInt(ALPHABET.length)];
            assertThat(ByteSearch.find(memory, from, to, wanted)).isEqualTo(first(bytes, from, to, wanted, wanted));
            assertThat(ByteSearch.findLineEnd(memory, from, to)).isEqualTo(first(bytes, from, to, (byte) 10, (byte) 0));
        }
    }

    private static int first(byte[] bytes, int from, int to, byte one, byte other) {
        for (int at = from; at < to; at++) {
            if (bytes[at] == one || bytes[at] == other) {
                return at;
            }
        }
        return -1;
    }
}
