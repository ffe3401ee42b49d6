package io.millrace.bench.powercut;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeliveredFileTest {
    private static final int RUN = 0x1234;

    @TempDir
    private Path directory;

    private final MessageFormat format = new MessageFormat(RUN);

    private String message(int source, int number) {
        ByteBuffer bytes = ByteBuffer.allocate(MessageFormat.BYTES);
        format.put(bytes, source, number);
        return new String(bytes.array(), StandardCharsets.US_ASCII);
    }

    private String line(int shard, long sequence, int source, int number) {
        return "{\"shard\":" + shard + ",\"sequence\":" + sequence + ",\"message\":\"" + message(source, number)
                + "\"}";
    }

    private DeliveredFile read(String text) throws IOException {
        return DeliveredFile.read(Files.writeString(directory.resolve("all.log"), text), format);
    }

    @Test
    void aLineWithoutItsEndDoesNotCount() throws IOException {
        DeliveredFile file = read(line(1, 7_000_000_000L, 2, 5) + "\n" + line(1, 7_000_000_001L, 2, 6));
        assertThat(file.ids().get(1, 7_000_000_000L)).isEqualTo(MessageId.of(2, 5));
        assertThat(file.ids().get(1, 7_000_000_001L)).isEqualTo(ShardTable.ABSENT);
        assertThat(file.lines()).isEqualTo(1);
    }

    @Test
    void onlyLinesBeforeTheOffsetWereDelivered() throws IOException {
        String first = line(0, 0, 0, 0) + "\n";
        DeliveredFile file = read(first + line(0, 1, 0, 1) + "\n");
        assertThat(file.idBefore(first.length(), 0, 0)).isEqualTo(MessageId.of(0, 0));
        assertThat(file.idBefore(first.length() - 1, 0, 0)).isEqualTo(ShardTable.ABSENT);
        assertThat(file.idBefore(first.length(), 0, 1)).isEqualTo(ShardTable.ABSENT);
    }

    @Test
    void aSequenceNumberWithTwoMessagesIsAConflict() throws IOException {
        String again = line(0, 3, 1, 4) + "\n";
        assertThat(read(again + again).conflicts()).isZero();
        assertThat(read(again + line(0, 3, 1, 5) + "\n").conflicts()).isOne();
    }

    @Test
    void aChangedMessageIsNotOfThisTest() {
        byte[] bytes = message(2, 9).getBytes(StandardCharsets.US_ASCII);
        assertThat(format.idOfWhole(bytes, bytes.length)).isEqualTo(MessageId.of(2, 9));
        bytes[100]++;
        assertThat(format.idOfWhole(bytes, bytes.length)).isEqualTo(MessageId.OTHER);
        assertThat(new MessageFormat(RUN + 1).idOfWhole(bytes, bytes.length)).isEqualTo(MessageId.OTHER);
    }
}
