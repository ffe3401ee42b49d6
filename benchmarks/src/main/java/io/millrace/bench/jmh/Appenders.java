package io.millrace.bench.jmh;

import io.millrace.transport.StagedDatagram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import org.agrona.IoUtil;

/** The compared ways to append. One thread each. */
final class Appenders {
    private static final int BUFFER_BYTES = 256 << 10;
    private static final int CHUNK_BYTES = 64 << 20;

    private Appenders() {}

    /** Appends the same record repeatedly. */
    interface Appender extends AutoCloseable {
        void append() throws IOException;

        @Override
        void close() throws IOException;
    }

    static Appender open(String way, Path directory) throws IOException {
        return switch (way) {
            case "chronicle-single" -> new ChronicleSingle(directory);
            case "journal-batch" -> new JournalBatch(directory);
            case "mapped" -> new Mapped(directory);
            case "file-channel" -> new Channel(directory);
            default -> throw new IllegalArgumentException("unknown way '" + way + "'");
        };
    }

    private static ByteBuffer record() {
        ByteBuffer record = ByteBuffer.allocateDirect(SampleDatagram.RECORD_BYTES);
        for (int i = 0; i < record.capacity(); i++) {
            record.put(i, (byte) ('a' + i % 26));
        }
        return record;
    }

    private static FileChannel create(Path directory) throws IOException {
        return FileChannel.open(
                directory.resolve("records"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    /** Chronicle Queue as in its user guide: a document per record. */
    private static final class ChronicleSingle implements Appender {
        private final ChronicleQueue queue;
        private final ExcerptAppender appender;
        private final Bytes<?> record = BytesStore.wrap(record()).bytesForRead();

        ChronicleSingle(Path directory) {
            queue = SingleChronicleQueueBuilder.binary(directory)
                    .blockSize(CHUNK_BYTES)
                    .build();
            appender = queue.createAppender();
        }

        @Override
        public void append() {
            record.readPositionRemaining(0, SampleDatagram.RECORD_BYTES);
            appender.writeBytes(record);
        }

        @Override
        public void close() {
            queue.close();
        }
    }

    /** The journal: a document per batch of 128, with sequence numbers and a checksum. */
    private static final class JournalBatch implements Appender {
        private final OpenJournal journal;
        private final StagedDatagram datagram = SampleDatagram.stage();

        JournalBatch(Path directory) throws IOException {
            journal = OpenJournal.create(directory);
        }

        @Override
        public void append() {
            journal.append(datagram);
        }

        @Override
        public void close() throws IOException {
            journal.close();
        }
    }

    /** A copy into a mapped file: no call per record, but a page fault per 4 KiB. */
    private static final class Mapped implements Appender {
        private final FileChannel channel;
        private final ByteBuffer record = record();
        private MappedByteBuffer chunk;
        private long next;

        Mapped(Path directory) throws IOException {
            channel = create(directory);
            chunk = channel.map(FileChannel.MapMode.READ_WRITE, 0, CHUNK_BYTES);
            next = CHUNK_BYTES;
        }

        @Override
        public void append() throws IOException {
            if (chunk.remaining() < SampleDatagram.RECORD_BYTES) {
                IoUtil.unmap(chunk);
                chunk = channel.map(FileChannel.MapMode.READ_WRITE, next, CHUNK_BYTES);
                next += CHUNK_BYTES;
            }
            chunk.put(record.clear());
        }

        @Override
        public void close() throws IOException {
            // The JDK would unmap a deleted file only at a garbage collection, and there is no garbage here.
            IoUtil.unmap(chunk);
            channel.close();
        }
    }

    /** A buffer of 256 KiB, which is written when it is full. */
    private static final class Channel implements Appender {
        private final FileChannel channel;
        private final ByteBuffer record = record();
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

        Channel(Path directory) throws IOException {
            channel = create(directory);
        }

        @Override
        public void append() throws IOException {
            if (buffer.remaining() < SampleDatagram.RECORD_BYTES) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    var unused = channel.write(buffer);
                }
                buffer.clear();
            }
            buffer.put(record.clear());
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
