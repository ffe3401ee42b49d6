package io.millrace.internal.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.journal.DatagramView;
import io.millrace.journal.FrameTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * Frames with the extended header. {@code batch-v2.hex} pins their layout, and {@code batch-v1.hex} that of other frames.
 * If a golden test fails, existing journals can no longer be read.
 */
class ExtendedFrameTest {
    private static final long BASE_NS = 1_763_683_200_123_456_789L;

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean append(
            FrameWriter batch, FrameSource source, String text, int original, int marks, long ns) {
        byte[] payload = text.getBytes(UTF_8);
        ByteBuffer memory = ByteBuffer.allocateDirect(payload.length + 3);
        memory.put(3, payload);
        return batch.append(source, memory, 3, payload.length, original, marks, ns);
    }

    private static FrameWriter written() {
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) 0xff);
        }
        FrameWriter batch = new FrameWriter(memory);
        FrameSource ipv4 = FrameSource.of(FrameTransport.TCP, 3, address("192.0.2.200"), 50_514);
        FrameSource ipv6 = FrameSource.of(FrameTransport.TCP, 200, address("2001:db8::1"), 514);
        FrameSource known = FrameSource.local(FrameTransport.UNIX_STREAM, 1, 4242, 1000, 100);
        FrameSource unknown = FrameSource.local(FrameTransport.UNIX_DATAGRAM, 2);
        assertThat(append(batch, ipv4, "<13>hello", 9, 0, BASE_NS)).isTrue();
        assertThat(append(batch, ipv6, "cut", 100_000, FrameWriter.TRUNCATED, BASE_NS - 1))
                .isTrue();
        assertThat(TestDatagram.of("udp").at(BASE_NS).appendTo(batch)).isTrue();
        assertThat(append(batch, known, "half a", 20, FrameWriter.INCOMPLETE, BASE_NS + 2))
                .isTrue();
        assertThat(append(batch, unknown, "", 0, 0, BASE_NS)).isTrue();
        return batch;
    }

    /** A sealed batch with all kinds of frames, in memory of exactly its size. */
    static ByteBuffer batch() {
        FrameWriter batch = written();
        batch.seal(513, 0x0123456789abcdefL, 1_000_000_000_000L);
        return batch.buffer().limit(batch.length()).slice();
    }

    private static List<DatagramView> read(ByteBuffer memory) {
        BatchView view = new BatchView().wrap(memory, 0, memory.limit());
        assertThat(view.check()).isEqualTo(BatchView.Health.OK);
        List<DatagramView> read = new ArrayList<>();
        DatagramView datagram = new DatagramView();
        view.first(datagram);
        do {
            read.add(datagram.copy());
        } while (datagram.next());
        return read;
    }

    @Test
    void writerWritesTheGoldenBytes() throws IOException {
        ByteBuffer batch = batch();
        byte[] bytes = new byte[batch.limit()];
        batch.get(0, bytes);
        assertThat(HexFormat.ofDelimiter(" ").formatHex(bytes))
                .isEqualTo(HexFormat.ofDelimiter(" ").formatHex(GoldenBatchTest.bytesOf("batch-v2.hex")));
    }

    @Test
    void readerReadsTheGoldenBytes() throws IOException {
        List<DatagramView> read = read(ByteBuffer.wrap(GoldenBatchTest.bytesOf("batch-v2.hex")));
        assertThat(read)
                .extracting(DatagramView::transport)
                .containsExactly(
                        FrameTransport.TCP,
                        FrameTransport.TCP,
                        FrameTransport.UDP,
                        FrameTransport.UNIX_STREAM,
                        FrameTransport.UNIX_DATAGRAM);
        assertThat(read).extracting(DatagramView::payloadText).containsExactly("<13>hello", "cut", "udp", "half a", "");
        assertThat(read)
                .extracting(DatagramView::sourceText)
                .containsExactly("192.0.2.200", "2001:db8::1", "127.0.0.1", "local", "local");
        assertThat(read).extracting(DatagramView::sourcePort).containsExactly(50_514, 514, 514, 0, 0);
        assertThat(read).extracting(DatagramView::input).containsExactly(3, 200, 0, 1, 2);
        assertThat(read).extracting(DatagramView::originalLength).containsExactly(9, 100_000, 3, 20, 0);
        assertThat(read).extracting(DatagramView::isTruncated).containsExactly(false, true, false, false, false);
        assertThat(read).extracting(DatagramView::isIncomplete).containsExactly(false, false, false, true, false);
        assertThat(read).extracting(DatagramView::pid).containsExactly(-1L, -1L, -1L, 4242L, -1L);
        assertThat(read.get(3).uid()).isEqualTo(1000);
        assertThat(read.get(3).gid()).isEqualTo(100);
        assertThat(read.get(1).receiveTimeNs()).isEqualTo(BASE_NS - 1);
        assertThat(read.get(3).receiveTimeNs()).isEqualTo(BASE_NS + 2);
    }

    @Test
    void frameOfAStreamHasEightBytesMore() {
        FrameWriter batch = new FrameWriter(ByteBuffer.allocateDirect(4096));
        int before = batch.length();
        append(batch, FrameSource.of(FrameTransport.TCP, 0, address("127.0.0.1"), 1), "12345678", 8, 0, BASE_NS);
        assertThat(batch.length() - before).isEqualTo(16 + 8 + 8);
    }

    @Test
    void payloadMayBeLongerThan64KiB() {
        byte[] payload = new byte[200_001];
        Arrays.fill(payload, (byte) 'x');
        FrameWriter batch = new FrameWriter(ByteBuffer.allocateDirect(FrameWriter.minStreamCapacity(payload.length)));
        FrameSource source = FrameSource.of(FrameTransport.TCP, 0, address("::ffff:127.0.0.1"), 1);
        assertThat(batch.append(source, ByteBuffer.wrap(payload), 0, payload.length, 3_000_000, 2, BASE_NS))
                .isTrue();
        batch.seal(0, 1, 0);
        DatagramView view = read(batch.buffer().limit(batch.length())).get(0);
        assertThat(view.payloadLength()).isEqualTo(payload.length);
        assertThat(view.originalLength()).isEqualTo(3_000_000);
        assertThat(view.isIpv6()).isFalse();
        assertThat(view.payloadText()).isEqualTo(new String(payload, UTF_8));
    }

    @Test
    void retainKeepsTheExtension() {
        FrameWriter batch = new FrameWriter(ByteBuffer.allocateDirect(4096));
        batch.mark();
        FrameSource source = FrameSource.local(FrameTransport.UNIX_STREAM, 1, 7, 8, 9);
        append(batch, source, "first", 5, 0, BASE_NS);
        append(batch, source, "second one", 10, 0, BASE_NS);
        batch.retain(view -> view.payloadLength() == 10);
        batch.seal(0, 1, 0);
        List<DatagramView> read = read(batch.buffer().limit(batch.length()));
        assertThat(read).hasSize(1);
        assertThat(read.get(0).payloadText()).isEqualTo("second one");
        assertThat(read.get(0).gid()).isEqualTo(9);
    }

    @Test
    void batchOfDatagramsHasVersion1AndOneWithAnExtensionVersion2() {
        assertThat(TestDatagram.batchOf(TestDatagram.of("a")).get(BatchLayout.VERSION))
                .isEqualTo((byte) 1);
        FrameWriter batch = written();
        batch.seal(0, 1, 0);
        assertThat(batch.buffer().get(BatchLayout.VERSION)).isEqualTo((byte) 2);
        batch.reset();
        TestDatagram.of("a").appendTo(batch);
        batch.seal(0, 1, 0);
        assertThat(batch.buffer().get(BatchLayout.VERSION)).isEqualTo((byte) 1);
    }

    @Test
    void damagedLengthsAreFound() {
        for (int offset = 0; offset < BatchLayout.EXTENSION_BYTES; offset++) {
            boolean length = offset < 2 || offset > 5;
            ByteBuffer batch = batch().order(ByteOrder.LITTLE_ENDIAN);
            int at = BatchLayout.HEADER_BYTES + BatchLayout.FRAME_HEADER_IPV4 + offset;
            batch.put(at, (byte) 0xff);
            CRC32C crc = new CRC32C();
            crc.update(batch.duplicate().position(4));
            batch.putInt(0, (int) crc.getValue());
            assertThat(new BatchView().wrap(batch, 0, batch.limit()).check())
                    .as("byte %s of the extension", offset)
                    .isEqualTo(length ? BatchView.Health.BAD_FRAMES : BatchView.Health.OK);
        }
    }
}
