package io.millrace.internal.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.journal.DatagramView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Compares the format with {@code batch-v1.hex}, whose bytes were written by hand from the specification. If this test
 * fails, existing journals can no longer be read: give the format a new version instead.
 */
class GoldenBatchTest {
    private static final byte[] IPV6 = HexFormat.of().parseHex("fe80000000000000020000fffe00abcd");
    private static final long BASE_NS = 1_763_683_200_123_456_789L;

    private static final List<TestDatagram> DATAGRAMS = List.of(
            TestDatagram.of("<13>hello")
                    .from(new byte[] {(byte) 192, 0, 2, (byte) 200}, 0, 50_514)
                    .input(3)
                    .at(BASE_NS),
            TestDatagram.of("abcdefgh").from(IPV6, 2, 514).input(200).at(BASE_NS - 1),
            TestDatagram.of("")
                    .from(new byte[] {10, 0, 0, 1}, 0, 65_535)
                    .input(0)
                    .at(BASE_NS + 1_000_000),
            TestDatagram.of("cut")
                    .truncated(true)
                    .from(new byte[] {10, 0, 0, 1}, 0, 1)
                    .input(255)
                    .at(BASE_NS + 2));

    private static byte[] golden() throws IOException {
        return bytesOf("batch-v1.hex");
    }

    /** The bytes of a file of hexadecimal digits, without its comments. */
    static byte[] bytesOf(String name) throws IOException {
        try (InputStream in = GoldenBatchTest.class.getResourceAsStream(name)) {
            StringBuilder hex = new StringBuilder();
            for (String line : new String(in.readAllBytes(), UTF_8).split("\n", -1)) {
                if (!line.startsWith("#")) {
                    hex.append(line.replace(" ", ""));
                }
            }
            return HexFormat.of().parseHex(hex);
        }
    }

    @Test
    void writerWritesTheGoldenBytes() throws IOException {
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) 0xff);
        }
        FrameWriter batch = new FrameWriter(memory);
        for (TestDatagram datagram : DATAGRAMS) {
            assertThat(datagram.appendTo(batch)).isTrue();
        }
        batch.seal(513, 0x0123456789abcdefL, 1_000_000_000_000L);
        byte[] written = new byte[batch.length()];
        memory.get(0, written);
        assertThat(HexFormat.ofDelimiter(" ").formatHex(written))
                .isEqualTo(HexFormat.ofDelimiter(" ").formatHex(golden()));
    }

    @Test
    void readerReadsTheGoldenBytes() throws IOException {
        byte[] golden = golden();
        BatchView view = new BatchView().wrap(ByteBuffer.wrap(golden), 0, golden.length);
        assertThat(view.check()).isEqualTo(BatchView.Health.OK);
        assertThat(view.shard()).isEqualTo(513);
        assertThat(view.journalId()).isEqualTo(0x0123456789abcdefL);
        assertThat(view.firstSequence()).isEqualTo(1_000_000_000_000L);
        assertThat(view.nextSequence()).isEqualTo(1_000_000_000_004L);
        assertThat(view.minTimeNs()).isEqualTo(BASE_NS - 1);
        assertThat(view.maxTimeNs()).isEqualTo(BASE_NS + 1_000_000);
        DatagramView datagram = new DatagramView();
        view.first(datagram);
        for (int i = 0; i < DATAGRAMS.size(); i++) {
            DATAGRAMS.get(i).assertIs(datagram);
            assertThat(datagram.next()).isEqualTo(i + 1 < DATAGRAMS.size());
        }
    }
}
