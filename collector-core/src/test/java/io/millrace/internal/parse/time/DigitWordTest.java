package io.millrace.internal.parse.time;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import io.millrace.internal.charset.AsciiWord;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DigitWordTest {
    private static final String MIDNIGHT = "00:00:00";

    private static long word(String text) {
        return AsciiWord.load(text.getBytes(ISO_8859_1), 0);
    }

    @Test
    void readsUpToEightDigitsBeforeAnyOtherByte() {
        Random random = TestSeed.random(DigitWordTest.class);
        for (int i = 0; i < 100_000; i++) {
            int count = 1 + random.nextInt(8);
            StringBuilder text = new StringBuilder();
            while (text.length() < count) {
                text.append((char) ('0' + random.nextInt(10)));
            }
            int value = Integer.parseInt(text.toString());
            char after = (char) random.nextInt(256);
            text.append(after >= '0' && after <= '9' ? ' ' : after);
            while (text.length() < 8) {
                text.append((char) random.nextInt(256));
            }
            assertThat(DigitWord.count(word(text.toString()))).isEqualTo(count);
            assertThat(DigitWord.value(word(text.toString()), count)).isEqualTo(value);
        }
        assertThat(DigitWord.count(word(" 1234567"))).isZero();
        assertThat(DigitWord.count(0)).isZero();
    }

    @Test
    void readsEachSecondOfADay() {
        for (int s = 0; s < 86_400; s++) {
            String text = String.format("%02d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
            assertThat(DigitWord.secondOfDay(word(text))).isEqualTo(s);
        }
        assertThat(DigitWord.secondOfDay(word("23:59:60"))).isEqualTo(86_400);
    }

    @Test
    void otherTextsAreNoTimes() {
        for (String text : new String[] {"24:00:00", "00:60:00", "00:00:61", "99:99:99", "0:00:00 "}) {
            assertThat(DigitWord.secondOfDay(word(text))).isEqualTo(TimeText.NONE);
        }
        for (int place = 0; place < MIDNIGHT.length(); place++) {
            for (char c = 0; c < 256; c++) {
                boolean right = MIDNIGHT.charAt(place) == ':' ? c == ':' : c >= '0' && c <= '9';
                String text = MIDNIGHT.substring(0, place) + c + MIDNIGHT.substring(place + 1);
                if (!right) {
                    assertThat(DigitWord.secondOfDay(word(text))).as(text).isEqualTo(TimeText.NONE);
                }
            }
        }
    }
}
