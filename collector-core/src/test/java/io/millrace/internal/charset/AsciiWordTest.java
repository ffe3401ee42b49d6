package io.millrace.internal.charset;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AsciiWordTest {
    private static final int TEXTS = 100_000;
    private static final int MAX_BYTES = 40;
    private static final byte[] OTHERS = {
        0, 1, 0x1f, ' ', '"', '\\', '!', '~', 0x7f, (byte) 0x80, (byte) 0xa1, (byte) 0xff
    };

    private final Random random = TestSeed.random(AsciiWordTest.class);

    /** Letters, and some bytes that end a word. */
    private byte[] text() {
        byte[] text = new byte[random.nextInt(MAX_BYTES)];
        for (int i = 0; i < text.length; i++) {
            text[i] =
                    random.nextInt(12) == 0 ? OTHERS[random.nextInt(OTHERS.length)] : (byte) ('a' + random.nextInt(26));
        }
        return text;
    }

    @Test
    void wordsEndAsByteByByte() {
        for (int i = 0; i < TEXTS; i++) {
            byte[] text = text();
            int begin = random.nextInt(text.length + 1);
            int end = begin + random.nextInt(text.length - begin + 1);
            int expected = begin;
            while (expected < end && text[expected] > ' ' && text[expected] < 0x7f) {
                expected++;
            }
            assertThat(AsciiWord.wordEnd(text, begin, end)).isEqualTo(expected);
        }
    }

    @Test
    void findsTheFirstOfTwoBytes() {
        for (int i = 0; i < TEXTS; i++) {
            byte[] text = text();
            int begin = random.nextInt(text.length + 1);
            int end = begin + random.nextInt(text.length - begin + 1);
            int expected = begin;
            while (expected < end && text[expected] != '"' && text[expected] != '\\') {
                expected++;
            }
            assertThat(AsciiWord.find(text, begin, end, '"', '\\')).isEqualTo(expected);
        }
    }

    @Test
    void asciiIsRecognisedAsByteByByte() {
        for (int i = 0; i < TEXTS; i++) {
            byte[] text = text();
            int begin = random.nextInt(text.length + 1);
            int end = begin + random.nextInt(text.length - begin + 1);
            boolean expected = true;
            for (int each = begin; each < end; each++) {
                expected &= text[each] >= 0;
            }
            assertThat(AsciiWord.isAscii(text, begin, end)).isEqualTo(expected);
        }
    }

    @Test
    void copiesUpToTheFirstOtherByte() {
        for (int i = 0; i < TEXTS; i++) {
            byte[] text = text();
            boolean isJson = random.nextBoolean();
            int begin = random.nextInt(text.length + 1);
            int end = begin + random.nextInt(text.length - begin + 1);
            int expected = begin;
            while (expected < end
                    && text[expected] >= ' '
                    && text[expected] < 0x7f
                    && !(isJson && (text[expected] == '"' || text[expected] == '\\'))) {
                expected++;
            }
            byte[] to = new byte[3 + end - begin + Long.BYTES];
            assertThat(AsciiWord.copyPrintable(text, begin, end, to, 3, isJson)).isEqualTo(expected);
            assertThat(Arrays.copyOfRange(to, 3, 3 + expected - begin))
                    .isEqualTo(Arrays.copyOfRange(text, begin, expected));
        }
    }
}
