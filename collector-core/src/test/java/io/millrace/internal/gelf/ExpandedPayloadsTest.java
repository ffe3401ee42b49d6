package io.millrace.internal.gelf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class ExpandedPayloadsTest {
    private final ExpandedPayloads payloads = new ExpandedPayloads();
    private final AtomicInteger expansions = new AtomicInteger();

    private Expander.Payload of(long sequence, byte[] compressed) {
        return payloads.of(0, sequence, Expander.MAX_BYTES, () -> {
            expansions.incrementAndGet();
            return new Expander().expand(compressed, 0, compressed.length, Expander.MAX_BYTES);
        });
    }

    private static byte[] zeros(int length) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream stream = new GZIPOutputStream(out)) {
            stream.write(new byte[length]);
        }
        return out.toByteArray();
    }

    @Test
    void readersExpandEachPayloadOnceInAll() throws Exception {
        byte[] compressed = zeros(60_000);
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Thread reader = new Thread(() -> {
                for (int sequence = 0; sequence < 100; sequence++) {
                    assertThat(of(sequence, compressed).bytes()).hasSize(60_000);
                }
            });
            readers.add(reader);
            reader.start();
        }
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(expansions).hasValue(100);
    }

    @Test
    void memoryIsBoundedWhateverIsExpanded() throws IOException {
        for (byte[] compressed : new byte[][] {zeros(1 << 20), zeros(1000), zeros(2 << 20), {0x1f, (byte) 0x8b, 0}}) {
            int before = expansions.get();
            for (int sequence = 0; sequence < 50_000; sequence += 5) {
                var unused = of(before + sequence, compressed);
                assertThat(payloads.bytes()).isBetween(1, ExpandedPayloads.MAX_BYTES);
            }
        }
    }

    @Test
    void payloadThatHasLeftIsExpandedAgain() throws IOException {
        byte[] compressed = zeros(1 << 20);
        for (int sequence = 0; sequence < 20; sequence++) {
            var unused = of(sequence, compressed);
        }
        assertThat(of(0, compressed).bytes()).hasSize(1 << 20);
        assertThat(expansions).hasValue(21);
        assertThat(of(0, compressed).bytes()).hasSize(1 << 20);
        assertThat(expansions).hasValue(21);
    }
}
