package io.millrace.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Capture files, byte by byte. A real journal and a reader of captures are tested in the benchmarks' {@code ReplayIT}. */
class PcapFormatTest {
    private static final long TIME_NS = TimeUnit.SECONDS.toNanos(1_700_000_000) + 123_456_789;

    private final PcapFormat format = new PcapFormat();
    private final LineBuffer out = new LineBuffer();

    /** A file with a message. */
    private ByteBuffer write(byte[] message) {
        LogRecord record = LogRecord.of(InputRules.DEFAULT);
        out.clear();
        format.begin(out);
        format.write(record.wrap(message, 0, message.length, TIME_NS), out);
        return ByteBuffer.wrap(out.array(), 0, out.length());
    }

    @Test
    void aMessageIsAPacket() {
        byte[] message = "<13>hello".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer file = write(message);
        assertThat(file.getInt(0)).isEqualTo(0xa1b23c4d);
        assertThat(file.getInt(20)).as("raw IP").isEqualTo(101);
        assertThat(file.getInt(24)).isEqualTo(1_700_000_000);
        assertThat(file.getInt(28)).isEqualTo(123_456_789);
        assertThat(file.getInt(32)).isEqualTo(20 + 8 + message.length).isEqualTo(file.getInt(36));
        assertThat(file.limit()).isEqualTo(24 + 16 + 20 + 8 + message.length);
        assertThat(file.get(40)).isEqualTo((byte) 0x45);
        assertThat(file.getInt(52)).as("from this host").isEqualTo(0x7f000001);
        assertThat(headerSum(file, 40)).as("checksum").isEqualTo(0xffff);
        assertThat(file.getShort(62)).as("to").isEqualTo((short) 514);
        assertThat(format.shortened()).isZero();
    }

    private static int headerSum(ByteBuffer file, int at) {
        int sum = 0;
        for (int i = at; i < at + 20; i += 2) {
            sum += file.getShort(i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return (sum & 0xffff) + (sum >>> 16);
    }

    @Test
    void messageLongerThanADatagramIsTruncated() {
        ByteBuffer file = write(new byte[70_000]);
        assertThat(file.limit()).isEqualTo(24 + 16 + 65_535);
        assertThat(format.shortened()).isEqualTo(1);
    }
}
