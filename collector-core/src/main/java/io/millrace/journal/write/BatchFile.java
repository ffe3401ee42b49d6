package io.millrace.journal.write;

import io.millrace.journal.file.UninterruptibleChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;
import org.jspecify.annotations.Nullable;

/**
 * Writes batches to the current file with {@code pwrite(2)}. Only Chronicle's length words and index go through mapped memory. A
 * copy of the batch into mapped memory would have to map each new page first, which costs several times the copy; and on a
 * disk error it would be a SIGBUS. The writer's thread.
 */
final class BatchFile implements AutoCloseable {
    private @Nullable UninterruptibleChannel channel;

    /**
     * Appends a batch as one excerpt. If that fails, nothing was appended.
     *
     * @param batch the remaining bytes
     * @param newFile the file that Chronicle appends to now, if it is not that of the last call
     */
    void append(ExcerptAppender appender, ByteBuffer batch, @Nullable Path newFile) throws IOException {
        DocumentContext document = appender.writingDocument();
        try {
            Bytes<?> bytes = Objects.requireNonNull(document.wire()).bytes();
            if (newFile != null || channel == null) {
                close();
                channel = new UninterruptibleChannel(Objects.requireNonNull(newFile), StandardOpenOption.WRITE);
            }
            int length = batch.remaining();
            channel.write(batch, bytes.writePosition());
            bytes.writeSkip(length);
        } catch (RuntimeException | IOException | Error e) {
            document.rollbackOnClose();
            throw e;
        } finally {
            document.close();
        }
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }
}
