package io.millrace.internal.parse;

import io.millrace.TestSeed;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever a datagram holds, there is a result, and every field lies within it. */
class HostileMessagesTest {
    private final ParserChecks checks = new ParserChecks();

    @Test
    void parsesEveryPrefixOfEveryMessage() throws IOException {
        for (byte[] sample : Samples.all()) {
            for (int length = 0; length <= sample.length; length++) {
                checks.check(sample, length);
            }
        }
    }

    @Test
    void parsesEveryOneByteMutation() throws IOException {
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
                    checks.check(mutant, mutant.length);
                }
                mutant[i] = sample[i];
            }
        }
    }

    @Test
    void parsesPiecesInAnyOrder() throws IOException {
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
            checks.check(mix, mix.length);
        }
    }
}
