package io.millrace.internal.journal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a failed append leaves: nothing. */
class BatchFileTest {
    private static final long BLOCK = 1 << 20;

    @TempDir
    Path root;

    private final RollClock clock = new RollClock(1);
    /** What the next calls that open the file do: null opens it. */
    private final Queue<Opening> openings = new ArrayDeque<>();

    private @Nullable SingleChronicleQueue queue;
    private @Nullable ExcerptAppender appender;
    private @Nullable Path file;

    private enum Opening {
        WRITABLE,
        READ_ONLY,
        FAILS
    }

    private final BatchFile batches =
            new BatchFile(path -> switch (openings.isEmpty() ? Opening.WRITABLE : openings.remove()) {
                case WRITABLE -> new UninterruptibleChannel(path, StandardOpenOption.WRITE);
                case READ_ONLY -> new UninterruptibleChannel(path, StandardOpenOption.READ);
                case FAILS -> throw new IOException("Too many open files");
            });

    @BeforeEach
    void open() throws IOException {
        Files.createDirectories(root);
        queue = ChronicleFiles.openForWriting(root, BLOCK, clock);
        appender = ChronicleFiles.appender(queue, root);
        // As the writer does: Chronicle would wait ten seconds for whoever began a file before it.
        begin(1);
    }

    private void begin(long cycle) throws IOException {
        file = ChronicleFiles.file(root, cycle);
        new FileAllocation(root, BLOCK, new DiskReserve(root), FileAllocation.Method.RESERVE).begin(file);
    }

    @AfterEach
    void close() throws IOException {
        batches.close();
        queue.close();
    }

    private void append(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        batches.append(
                appender, ByteBuffer.allocateDirect(bytes.length).put(bytes).flip(), file);
    }

    private List<String> readAll() {
        List<String> all = new ArrayList<>();
        try (ExcerptTailer tailer = queue.createTailer()) {
            Bytes<byte[]> bytes = Bytes.allocateElasticOnHeap();
            while (tailer.readBytes(bytes.clear())) {
                all.add(bytes.toString());
            }
        }
        return all;
    }

    @Test
    void firstAppendWhoseFileCannotBeOpenedIsRepeated() throws IOException {
        openings.add(Opening.FAILS);
        assertThatThrownBy(() -> append("first")).isInstanceOf(IOException.class);
        append("first");
        append("second");
        assertThat(readAll()).containsExactly("first", "second");
    }

    @Test
    void appendThatCannotBeWrittenIsRepeated() throws IOException {
        append("first");
        batches.close();
        openings.add(Opening.READ_ONLY);
        openings.add(Opening.FAILS);
        assertThatThrownBy(() -> append("a second that is longer")).isInstanceOf(NonWritableChannelException.class);
        assertThatThrownBy(() -> append("a second that is longer")).isInstanceOf(IOException.class);
        append("second");
        append("third");
        assertThat(readAll()).containsExactly("first", "second", "third");
    }

    @Test
    void firstAppendAfterARollIsRepeated() throws IOException {
        append("first");
        begin(2);
        clock.advance();
        openings.add(Opening.READ_ONLY);
        assertThatThrownBy(() -> append("second")).isInstanceOf(NonWritableChannelException.class);
        append("second");
        append("third");
        assertThat(readAll()).containsExactly("first", "second", "third");
    }

    @Test
    void interruptedThreadAppendsAndStaysInterrupted() throws IOException {
        append("first");
        Thread.currentThread().interrupt();
        append("second");
        assertThat(Thread.interrupted()).isTrue();
        append("third");
        assertThat(readAll()).containsExactly("first", "second", "third");
    }

    /** After an error, Chronicle returns its last document, which is closed. */
    @Test
    void closedDocumentIsNotWritten() throws IOException {
        append("first");
        appender = proxy(ExcerptAppender.class, "writingDocument", proxy(DocumentContext.class, "isOpen", false));
        assertThatIllegalStateException().isThrownBy(() -> append("second")).withMessageContaining("failed before");
        assertThat(readAll()).containsExactly("first");
    }

    private static <T> T proxy(Class<T> type, String method, Object result) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (it, called, arguments) -> {
                    assertThat(called.getName()).isEqualTo(method);
                    return result;
                }));
    }
}
