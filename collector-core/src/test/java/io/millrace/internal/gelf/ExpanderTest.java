package io.millrace.internal.gelf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class ExpanderTest {
    private final Expander expander = new Expander();
    private byte[] expanded = {};

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream stream = new GZIPOutputStream(out)) {
            stream.write(plain);
        }
        return out.toByteArray();
    }

    private static byte[] zlib(byte[] plain) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream stream = new DeflaterOutputStream(out)) {
            stream.write(plain);
        }
        return out.toByteArray();
    }

    private Expander.Result expand(byte[] payload) {
        byte[] memory = new byte[payload.length + 14];
        Arrays.fill(memory, (byte) 0x5a);
        System.arraycopy(payload, 0, memory, 7, payload.length);
        Expander.Payload found = expander.expand(memory, 7, 7 + payload.length, Expander.MAX_BYTES);
        expanded = found.bytes();
        return found.result();
    }

    @Test
    void expandsWhatIsCompressed() throws IOException {
        Random random = new Random(1);
        for (int length : new int[] {0, 1, 100, 8192, 8193, 100_000, Expander.MAX_BYTES}) {
            byte[] plain = new byte[length];
            random.nextBytes(plain);
            assertThat(expand(gzip(plain))).isEqualTo(Expander.Result.EXPANDED);
            assertThat(expanded).isEqualTo(plain);
            assertThat(expand(zlib(plain))).isEqualTo(Expander.Result.EXPANDED);
            assertThat(expanded).isEqualTo(plain);
        }
    }

    @Test
    void skipsTheOptionalPartsOfAHeader() throws IOException {
        byte[] plain = gzip("text".getBytes(UTF_8));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(plain, 0, 3);
        all.write(2 | 4 | 8 | 16);
        all.write(plain, 4, 6);
        all.write(new byte[] {3, 0, 'x', 'y', 'z', 'n', 'a', 0, 'c', 0, 1, 2});
        all.write(plain, 10, plain.length - 10);
        assertThat(expand(all.toByteArray())).isEqualTo(Expander.Result.EXPANDED);
        assertThat(expanded).isEqualTo("text".getBytes(UTF_8));
    }

    @Test
    void refusesWhatIsTooLarge() throws IOException {
        byte[] large = new byte[Expander.MAX_BYTES + 1];
        assertThat(expand(gzip(large))).isEqualTo(Expander.Result.TOO_LARGE);
        assertThat(expand(zlib(large))).isEqualTo(Expander.Result.TOO_LARGE);
    }

    @Test
    void limitIsExact() throws IOException {
        byte[] compressed = gzip(new byte[5000]);
        assertThat(expander.expand(compressed, 0, compressed.length, 5000).result())
                .isEqualTo(Expander.Result.EXPANDED);
        assertThat(expander.expand(compressed, 0, compressed.length, 4999).result())
                .isEqualTo(Expander.Result.TOO_LARGE);
    }

    /** Ten gigabytes of zeros in ten megabytes cost no more than the limit. */
    @Test
    void bombCostsNoMoreThanTheLimit() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] zeros = new byte[1 << 20];
        try (OutputStream stream = new GZIPOutputStream(out)) {
            for (int i = 0; i < 200; i++) {
                stream.write(zeros);
            }
        }
        byte[] bomb = out.toByteArray();
        long startNs = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThat(expand(bomb)).isEqualTo(Expander.Result.TOO_LARGE);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(5));
        assertThat(expanded).isEmpty();
    }

    @Test
    void damageIsNoError() throws IOException {
        byte[] plain = "{\"version\":\"1.1\",\"short_message\":\"a\"}".getBytes(UTF_8);
        for (byte[] good : new byte[][] {gzip(plain), zlib(plain)}) {
            for (int length = 3; length < good.length; length++) {
                assertThat(expand(Arrays.copyOf(good, length)))
                        .as("%s bytes", length)
                        .isEqualTo(Expander.Result.DAMAGED);
            }
            byte[] flipped = good.clone();
            flipped[good.length - 1] ^= 1;
            assertThat(expand(flipped)).isEqualTo(Expander.Result.DAMAGED);
        }
        assertThat(expand(new byte[] {0x1f, (byte) 0x8b, 8, 4, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff}))
                .isEqualTo(Expander.Result.DAMAGED);
    }

    @Test
    void textIsPlain() {
        for (String text : new String[] {"", "x", "x^2 + y^2", "x^", "text", "{}", "<13>x^"}) {
            assertThat(expand(text.getBytes(UTF_8))).as(text).isEqualTo(Expander.Result.PLAIN);
        }
    }
}
