package io.millrace.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import io.millrace.parse.SyslogMessage.Field;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever a datagram holds, there is a result, and every field lies within it. */
class HostileMessagesTest {
    private static final long NOW_NS = 1_795_262_400_000_000_000L;
    private static final byte[] AROUND = "%A-1-B: 9".getBytes(StandardCharsets.US_ASCII);
    private static final int MARGIN = AROUND.length;

    private final SyslogParser parser = new SyslogParser(ZoneOffset.UTC);
    private final SyslogMessage message = new SyslogMessage();
    private final SyslogMessage alone = new SyslogMessage();
    private final StructuredData data = new StructuredData();

    /** Reads it with bytes around it that would be part of it if somebody looked there. */
    private void check(byte[] bytes, int length) {
        byte[] memory = new byte[MARGIN + length + MARGIN];
        System.arraycopy(AROUND, 0, memory, 0, MARGIN);
        System.arraycopy(bytes, 0, memory, MARGIN, length);
        System.arraycopy(AROUND, 0, memory, MARGIN + length, MARGIN);
        Kind kind = parser.parse(memory, MARGIN, MARGIN + length, NOW_NS, message);
        for (Field field : Field.values()) {
            if (message.has(field)) {
                assertThat(message.begin(field)).as("%s", field).isBetween(MARGIN, MARGIN + length);
                assertThat(message.end(field)).as("%s", field).isBetween(message.begin(field), MARGIN + length);
            } else {
                assertThat(message.end(field)).isEqualTo(-1);
            }
        }
        assertThat(message.kind()).isSameAs(kind);
        assertThat(message.facility()).isNotNull();
        assertThat(message.severity()).isNotNull();
        checkAlone(Arrays.copyOf(bytes, length));
        data.wrap(message);
        while (data.nextElement()) {
            while (data.nextParameter()) {
                assertThat(data.valueEnd()).isBetween(data.valueBegin(), MARGIN + length);
            }
        }
    }

    /** By itself, and by a parser that has seen no other message, it is the same. */
    private void checkAlone(byte[] bytes) {
        new SyslogParser(ZoneOffset.UTC).parse(bytes, 0, bytes.length, NOW_NS, alone);
        assertThat(alone.kind()).isSameAs(message.kind());
        assertThat(alone.body()).isSameAs(message.body());
        assertThat(alone.timestampNs()).isEqualTo(message.timestampNs());
        assertThat(alone.sequenceId()).isEqualTo(message.sequenceId());
        for (Field field : Field.values()) {
            assertThat(alone.has(field)).isEqualTo(message.has(field));
            if (alone.has(field)) {
                assertThat(alone.begin(field)).isEqualTo(message.begin(field) - MARGIN);
                assertThat(alone.end(field)).isEqualTo(message.end(field) - MARGIN);
            }
        }
    }

    @Test
    void everyPrefixOfEveryMessageGivesAResult() throws IOException {
        for (byte[] sample : Samples.all()) {
            for (int length = 0; length <= sample.length; length++) {
                check(sample, length);
            }
        }
    }

    @Test
    void everyMutationOfOneByteGivesAResult() throws IOException {
        byte[] interesting = {
            0,
            '\n',
            ' ',
            '"',
            '%',
            '-',
            ':',
            '<',
            '=',
            '>',
            '[',
            '\\',
            ']',
            '0',
            '9',
            'T',
            '{',
            (byte) 0x80,
            (byte) 0xff
        };
        for (byte[] sample : Samples.all()) {
            byte[] mutant = sample.clone();
            for (int i = 0; i < mutant.length; i++) {
                for (byte b : interesting) {
                    mutant[i] = b;
                    check(mutant, mutant.length);
                }
                mutant[i] = sample[i];
            }
        }
    }

    @Test
    void piecesInAnyOrderGiveAResult() throws IOException {
        Random random = TestSeed.random(HostileMessagesTest.class);
        List<byte[]> samples = Samples.all();
        for (int i = 0; i < 100_000; i++) {
            byte[] mix = new byte[random.nextInt(300)];
            for (int at = 0; at < mix.length; ) {
                byte[] from = samples.get(random.nextInt(samples.size()));
                int begin = random.nextInt(from.length);
                int count = Math.min(Math.min(mix.length - at, from.length - begin), 1 + random.nextInt(40));
                System.arraycopy(from, begin, mix, at, count);
                at += count;
            }
            check(mix, mix.length);
        }
    }
}
