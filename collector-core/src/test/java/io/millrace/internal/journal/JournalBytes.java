package io.millrace.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.record.BatchView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** Finds and damages batches in the files of a closed journal. */
public final class JournalBytes {
    /**
     * A batch.
     *
     * @param file the file of the batch
     * @param offset the position of its header; the length word is four bytes before it
     */
    public record Place(Path file, long offset, int length, long firstSequence, int count) {
        public long end() {
            return offset + length;
        }
    }

    private JournalBytes() {}

    /** The files of a shard, oldest first. */
    public static List<Path> files(Path root, int shard) throws IOException {
        return JournalPaths.files(JournalPaths.shardPath(root, shard));
    }

    /** The committed batches of a shard, in order. */
    public static List<Place> batches(Path root, int shard) throws IOException {
        List<Place> places = new ArrayList<>();
        BatchView view = new BatchView();
        for (Path file : files(root, shard)) {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
            int offset = 4;
            while (offset + 8 <= bytes.capacity()) {
                if (bytes.getInt(offset - 4) != 0
                        && BatchView.isMagicAt(bytes, offset)
                        && view.wrap(bytes, offset, bytes.capacity() - offset).check() == BatchView.Health.OK) {
                    places.add(new Place(file, offset, view.length(), view.firstSequence(), view.count()));
                    offset += view.length();
                } else {
                    offset += 4;
                }
            }
        }
        return places;
    }

    /** Flips one bit of a file. */
    public static void flip(Path file, long offset, int bit) throws IOException {
        byte[] one = read(file, offset, 1);
        one[0] ^= (byte) (1 << bit);
        write(file, offset, one);
    }

    /** Flips a bit in the last byte of a batch's payloads. */
    public static void damage(Place batch) throws IOException {
        flip(batch.file(), batch.end() - 8, 0);
    }

    /** Changes the bytes of a batch and updates its checksum. */
    public static void change(Place batch, Consumer<ByteBuffer> change) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(read(batch.file(), batch.offset(), batch.length()))
                .order(ByteOrder.LITTLE_ENDIAN);
        change.accept(bytes);
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 4, batch.length() - 4);
        write(
                batch.file(),
                batch.offset(),
                bytes.putInt(0, (int) crc.getValue()).array());
    }

    public static byte[] read(Path file, long offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            assertThat(channel.read(bytes, offset)).isEqualTo(length);
        }
        return bytes.array();
    }

    public static void write(Path file, long offset, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes), offset);
        }
    }
}
