package io.millrace.internal.journal.file;

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
    /** Opens a file for writing. */
    interface Opener {
        UninterruptibleChannel open(Path file) throws IOException;
    }

    private final Opener opener;
    private @Nullable Path current;
    private @Nullable UninterruptibleChannel channel;

    BatchFile() {
        this(file -> new UninterruptibleChannel(file, StandardOpenOption.WRITE));
    }

    /** For tests, with files that fail. */
    BatchFile(Opener opener) {
        this.opener = opener;
    }

    /**
     * Appends a batch as one excerpt. After an exception nothing was appended, and the batch may be appended again; after an error the
     * appender must not be used any more.
     *
     * @param batch the remaining bytes
     * @param file the file that Chronicle appends to now; the same object for the same file
     */
    void append(ExcerptAppender appender, ByteBuffer batch, Path file) throws IOException {
        DocumentContext document = appender.writingDocument();
        if (!document.isOpen()) {
            // An error in an earlier call has left the last document: its position is that of an earlier batch.
            throw new IllegalStateException("Chronicle's appender failed before");
        }
        try {
            UninterruptibleChannel open = channelOf(file);
            Bytes<?> bytes = Objects.requireNonNull(document.wire()).bytes();
            int length = batch.remaining();
            open.write(batch, bytes.writePosition());
            bytes.writeSkip(length);
        } catch (RuntimeException | IOException | Error e) {
            document.rollbackOnClose();
            close();
            throw e;
        } finally {
            document.close();
        }
    }

    @SuppressWarnings("ReferenceEquality") // A comparison of names for each batch would be slower.
    private UninterruptibleChannel channelOf(Path file) throws IOException {
        UninterruptibleChannel open = channel;
        if (open == null || current != file) {
            close();
            open = opener.open(file);
            channel = open;
            current = file;
        }
        return open;
    }

    @Override
    public void close() throws IOException {
        UninterruptibleChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }
}
