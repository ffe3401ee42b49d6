package io.millrace.output.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import io.millrace.TestSeed;
import io.millrace.message.LineBuffer;
import io.millrace.output.Compression;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RequestCompressorTest {
    private static byte[] expand(Compression compression, byte[] bytes) throws IOException {
        InputStream raw = new ByteArrayInputStream(bytes);
        try (InputStream in = switch (compression) {
            case NONE -> raw;
            case GZIP -> new GZIPInputStream(raw);
            case ZSTD -> new ZstdInputStream(raw);
        }) {
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @EnumSource
    void bodiesAreTheSameAgain(Compression compression) throws IOException {
        Random random = TestSeed.random(getClass());
        try (RequestCompressor compressor = new RequestCompressor(compression)) {
            for (int length : new int[] {0, 1, 100, 70_000, 1 << 20, 3}) {
                for (boolean compressible : new boolean[] {true, false}) {
                    byte[] bytes = new byte[length];
                    if (!compressible) {
                        random.nextBytes(bytes);
                    }
                    LineBuffer body = new LineBuffer().append(bytes);
                    byte[] compressed = compressor.compress(body);
                    Arrays.fill(body.array(), (byte) 'x');
                    assertThat(expand(compression, compressed)).isEqualTo(bytes);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void compressesAfterAClose(Compression compression) throws IOException {
        RequestCompressor compressor = new RequestCompressor(compression);
        LineBuffer body = new LineBuffer().ascii("text");
        for (int i = 0; i < 3; i++) {
            assertThat(expand(compression, compressor.compress(body)))
                    .asString()
                    .isEqualTo("text");
            compressor.close();
        }
    }
}
