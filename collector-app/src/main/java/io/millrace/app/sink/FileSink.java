package io.millrace.app.sink;

import io.millrace.deliver.Sink;
import io.millrace.deliver.SinkBatch;
import io.millrace.format.LineBuffer;
import io.millrace.format.LineFormat;
import io.millrace.format.LogRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * To files, a line a record, whose paths may depend on the record. A batch is written to each file in one piece; a piece that
 * was written in part is taken back, and one that a crash left is cut off when the file is opened: there is never half a
 * line before another.
 */
final class FileSink implements Sink {
    private static final int MOST_OPEN = 128;

    /** How a renamed file is compressed. */
    enum Compression {
        NONE,
        GZIP,
        ZSTD
    }

    /** When what was written is on disk. */
    enum Sync {
        NONE,
        BATCH
    }

    /**
     * When a file ends.
     *
     * @param bytes with so many bytes
     * @param after so long after it was opened first
     * @param compression of what is renamed then
     */
    record Rotation(long bytes, Duration after, Compression compression) {
        static final Rotation NEVER = new Rotation(Long.MAX_VALUE, Duration.ofDays(36_500), Compression.NONE);
    }

    private final LineFormat format;
    private final NameTemplate template;
    private final Rotation rotation;
    private final Sync sync;
    private final Compressor compressor = new Compressor();
    private final Map<String, OpenFile> open = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, LineBuffer> pieces = new LinkedHashMap<>();
    private final List<LineBuffer> spare = new ArrayList<>();

    FileSink(LineFormat format, NameTemplate template, Rotation rotation, Sync sync) {
        this.format = format;
        this.template = template;
        this.rotation = rotation;
        this.sync = sync;
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer out) {
        format.write(record, out);
        return template.of(record);
    }

    @Override
    public void send(SinkBatch batch) throws IOException {
        if (template.isConstant()) {
            write(template.toString(), batch.array(), batch.byteCount());
        } else {
            sendByFile(batch);
        }
        batch.done();
    }

    private void sendByFile(SinkBatch batch) throws IOException {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isOpen(i)) {
                pieces.computeIfAbsent(path(batch, i), path -> spare.isEmpty() ? new LineBuffer() : spare.remove(0))
                        .append(batch.array(), batch.begin(i), batch.end(i));
            }
        }
        try {
            for (Map.Entry<String, LineBuffer> piece : pieces.entrySet()) {
                write(piece.getKey(), piece.getValue().array(), piece.getValue().length());
                accept(batch, piece.getKey());
            }
        } finally {
            pieces.values().forEach(buffer -> {
                buffer.clear();
                if (spare.size() < MOST_OPEN) {
                    spare.add(buffer);
                }
            });
            pieces.clear();
        }
    }

    /** One file has its records, whatever becomes of the others. */
    private static void accept(SinkBatch batch, String path) {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isOpen(i) && path.equals(batch.tag(i))) {
                batch.accept(i);
            }
        }
    }

    private static String path(SinkBatch batch, int index) {
        return (String) Objects.requireNonNull(batch.tag(index));
    }

    private void write(String path, byte[] bytes, int length) throws IOException {
        OpenFile file = open.get(path);
        if (file != null && (file.isFull(rotation) || file.isGone())) {
            open.remove(path);
            file.close();
            if (file.isFull(rotation)) {
                file.rotate(compressor, rotation.compression());
            }
            file = null;
        }
        if (file == null) {
            closeOldest();
            file = OpenFile.open(Path.of(path));
            open.put(path, file);
        }
        try {
            file.append(bytes, length, sync == Sync.BATCH);
        } catch (IOException e) {
            open.remove(path);
            file.close();
            throw e;
        }
    }

    private void closeOldest() throws IOException {
        while (open.size() >= MOST_OPEN) {
            var oldest = open.entrySet().iterator();
            OpenFile file = oldest.next().getValue();
            oldest.remove();
            file.close();
        }
    }

    @Override
    public void close() throws IOException {
        for (OpenFile file : open.values()) {
            file.close();
        }
        open.clear();
        compressor.close();
    }
}
