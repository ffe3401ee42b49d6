package io.millrace.sender.payload;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequencePayloadTest {
    private static final String GOOD = "0123abcd 0001f 00000010 fedcba98";

    private final SequencePayload payload = new SequencePayload();

    @Test
    void hasTheSpecifiedFormat() {
        ByteBuffer buffer = ByteBuffer.allocate(62);
        SequencePayload.pad(buffer, 0, 62);
        SequencePayload.encode(buffer, 0, 0x0123abcd, 0x1f, 16, 0xfedcba98);
        assertThat(new String(buffer.array(), US_ASCII)).isEqualTo(GOOD + " abcdefghijklmnopqrstuvwxyzabc");
    }

    @Test
    void decodesRandomValues() {
        long seed = System.nanoTime();
        System.out.println("SequencePayloadTest seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            int run = random.nextInt();
            int source = random.nextInt(SequencePayload.MAX_SOURCE + 1);
            int sequence = random.nextInt();
            int time = random.nextInt();
            int at = random.nextInt(20);
            int size = SequencePayload.LENGTH + random.nextInt(50);
            byte[] bytes = new byte[at + size];
            ByteBuffer direct = ByteBuffer.allocateDirect(at + size);
            SequencePayload.pad(ByteBuffer.wrap(bytes), at, size);
            SequencePayload.encode(bytes, at, run, source, sequence, time);
            SequencePayload.pad(direct, at, size);
            SequencePayload.encode(direct, at, run, source, sequence, time);
            assertThat(direct).as("seed %d", seed).isEqualTo(ByteBuffer.wrap(bytes));

            assertThat(payload.decode(bytes, at, size)).as("seed %d", seed).isTrue();
            assertHolds(seed, run, source, sequence, time);
            assertThat(new SequencePayload().decode(bytes, at, size)).isTrue();
            assertThat(payload.decode(direct, at, size)).as("seed %d", seed).isTrue();
            assertHolds(seed, run, source, sequence, time);
            assertThat(direct.position()).isZero();
        }
    }

    private void assertHolds(long seed, int run, int source, int sequence, int time) {
        assertThat(payload.runId()).as("seed %d", seed).isEqualTo(Integer.toUnsignedLong(run));
        assertThat(payload.source()).as("seed %d", seed).isEqualTo(source);
        assertThat(payload.sequence()).as("seed %d", seed).isEqualTo(Integer.toUnsignedLong(sequence));
        assertThat(payload.intendedTimeMicros()).as("seed %d", seed).isEqualTo(Integer.toUnsignedLong(time));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0123abcd 0001f 00000010 fedcba9",
                "0123ABCD 0001f 00000010 fedcba98",
                "0123abcg 0001f 00000010 fedcba98",
                "0123abc/ 0001f 00000010 fedcba98",
                "0123abc: 0001f 00000010 fedcba98",
                "0123abc` 0001f 00000010 fedcba98",
                "0123abcd-0001f 00000010 fedcba98",
                "0123abcd  001f 00000010 fedcba98",
                "0123abcd 0001f_00000010 fedcba98",
                "0123abcd 0001f +0000010 fedcba98",
                "0123abcd 0001f 00000010\tfedcba98",
                "0123abcd 0001f 00000010 -edcba98",
                "0123abcd 0001f 00000010 fedcba98x",
                "0123abcd 0001f 00000010 fedcba980",
            })
    void rejectsOtherFormats(String text) {
        byte[] bytes = text.getBytes(US_ASCII);
        assertThat(payload.decode(bytes, 0, bytes.length)).isFalse();
        assertThat(payload.decode(ByteBuffer.wrap(bytes), 0, bytes.length)).isFalse();
    }

    @Test
    void invalidPayloadKeepsTheLastDecodedValues() {
        byte[] good = GOOD.getBytes(US_ASCII);
        assertThat(payload.decode(good, 0, good.length)).isTrue();
        byte[] bad = GOOD.replace('8', 'x').getBytes(US_ASCII);
        assertThat(payload.decode(bad, 0, bad.length)).isFalse();
        assertThat(payload.sequence()).isEqualTo(16);
        assertThat(payload.source()).isEqualTo(31);
    }

    @Test
    void readsOnlyThePayload() {
        byte[] bytes = (GOOD + "xxxx").getBytes(US_ASCII);
        assertThat(payload.decode(bytes, 0, 32)).isTrue();
        assertThat(payload.decode(bytes, 0, 33)).isFalse();
        assertThat(payload.decode(ByteBuffer.wrap(bytes), 0, 32)).isTrue();
        assertThatThrownBy(() -> payload.decode(bytes, 10, 32)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> payload.decode(ByteBuffer.wrap(bytes), 10, 32))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void writesNothingIfItDoesNotFit() {
        ByteBuffer small = ByteBuffer.allocate(31);
        assertThatThrownBy(() -> SequencePayload.encode(small, 0, 1, 2, 3, 4))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> SequencePayload.encode(small.array(), 0, 1, 2, 3, 4))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> SequencePayload.pad(small, 0, 31)).isInstanceOf(IllegalArgumentException.class);
        assertThat(small.array()).containsOnly(0);
    }

    private boolean find(String text, int run) {
        byte[] bytes = ("xx" + text + "yy").getBytes(US_ASCII);
        return payload.find(bytes, 2, bytes.length - 4, run);
    }

    @Test
    void findsTheIdentityAnywhere() {
        for (String before :
                List.of("", "<13>Nov 21 10:00:00 web-01 app[1]: ", "0123abcd ", " ", "0123abcd 0001f 0000001x ")) {
            for (String after : List.of("", " ", " and more 0123abcd")) {
                SequencePayload fresh = new SequencePayload();
                byte[] bytes = (before + GOOD + after).getBytes(US_ASCII);
                assertThat(fresh.find(bytes, 0, bytes.length, 0x0123abcd)).isTrue();
                assertThat(fresh.source()).isEqualTo(31);
                assertThat(fresh.sequence()).isEqualTo(16);
                assertThat(fresh.intendedTimeMicros()).isEqualTo(0xfedcba98L);
            }
        }
    }

    @Test
    void findsNoIdentityWhereThereIsNone() {
        assertThat(find("", 0x0123abcd)).isFalse();
        assertThat(find("0123abcd ", 0x0123abcd)).isFalse();
        assertThat(find(GOOD, 0x0123abce)).isFalse();
        assertThat(find("head " + GOOD, 0x0123abce)).isFalse();
        assertThat(find(GOOD.substring(1), 0x0123abcd)).isFalse();
        assertThat(find("head " + GOOD.substring(0, 31), 0x0123abcd)).isFalse();
        assertThat(find("head " + GOOD + "0", 0x0123abcd)).isFalse();
        assertThat(find("f" + GOOD, 0x0123abcd))
                .as("the end of a longer number")
                .isFalse();
        assertThat(find("g" + GOOD, 0x0123abcd)).isTrue();
    }

    @Test
    void searchStaysWithinThePayload() {
        byte[] bytes = ("a " + GOOD).getBytes(US_ASCII);
        assertThat(payload.find(bytes, 0, bytes.length - 1, 0x0123abcd)).isFalse();
        assertThat(payload.find(bytes, 3, bytes.length - 3, 0x0123abcd)).isFalse();
        assertThat(payload.find(bytes, 2, bytes.length - 2, 0x0123abcd)).isTrue();
        assertThatThrownBy(() -> payload.find(bytes, 10, bytes.length, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
