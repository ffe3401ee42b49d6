package io.millrace.app.sink;

import io.millrace.deliver.Sink;
import io.millrace.deliver.SinkBatch;
import io.millrace.format.LineBuffer;
import io.millrace.format.LineFormat;
import io.millrace.format.LogRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * To files, a line a record, whose paths may depend on the record. A batch is written to each file in one piece; a piece that
 * was written in part is taken back, and one that a crash left is cut off when the file is opened: there is never half a
 * line before another.
 *
 * <p>A name that messages made and of which there cannot be a file, because it is a directory for example, is a reason to refuse
 * them. All else is waited for.
 */
final class FileSink implements Sink {
    private static final int MOST_BEGUN = 65_536;
    private static final int MOST_OPEN = 128;
    private static final int MOST_SPARE_BYTES = 1 << 20;

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
    private final Map<String, Long> begunNs = new Begun();
    private final Map<String, Piece> pieces = new LinkedHashMap<>();
    private final Deque<Piece> spare = new ArrayDeque<>();

    /** Since when files are written to, also those that are closed because of others: of so many, those written to last. */
    private static final class Begun extends LinkedHashMap<String, Long> {
        private static final long serialVersionUID = 1;

        Begun() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST_BEGUN;
        }
    }

    /** The records of a batch that go to one file. */
    private static final class Piece {
        private final LineBuffer bytes = new LineBuffer();
        private int[] records = new int[16];
        private int count;

        void add(SinkBatch batch, int record) {
            bytes.append(batch.array(), batch.begin(record), batch.end(record));
            if (count == records.length) {
                records = Arrays.copyOf(records, 2 * count);
            }
            records[count++] = record;
        }

        IntStream records() {
            return Arrays.stream(records, 0, count);
        }

        void clear() {
            bytes.clear();
            count = 0;
        }
    }

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
            // A constant name is never unusable, only waited for.
            var unused = write(template.toString(), batch.array(), batch.byteCount());
        } else {
            sendByFile(batch);
        }
        batch.done();
    }

    private void sendByFile(SinkBatch batch) throws IOException {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isOpen(i)) {
                String path = (String) Objects.requireNonNull(batch.tag(i));
                pieces.computeIfAbsent(path, made -> spare.isEmpty() ? new Piece() : spare.remove())
                        .add(batch, i);
            }
        }
        try {
            for (Map.Entry<String, Piece> each : pieces.entrySet()) {
                Piece piece = each.getValue();
                String reason = write(each.getKey(), piece.bytes.array(), piece.bytes.length());
                if (reason == null) {
                    // One file has its records, whatever becomes of the others.
                    piece.records().forEach(batch::accept);
                } else {
                    piece.records().forEach(record -> batch.refuse(record, reason));
                }
            }
        } finally {
            pieces.values().forEach(this::keep);
            pieces.clear();
        }
    }

    private void keep(Piece piece) {
        if (spare.size() < MOST_OPEN && piece.bytes.array().length <= MOST_SPARE_BYTES) {
            piece.clear();
            spare.add(piece);
        }
    }

    /** Null, or why a file of this name will never be written. */
    private @Nullable String write(String path, byte[] bytes, int length) throws IOException {
        end(path);
        OpenFile file = open.get(path);
        if (file == null) {
            closeOldest();
            try {
                file = OpenFile.open(Path.of(path));
            } catch (IOException e) {
                String reason = unusable(path);
                if (reason != null) {
                    return reason;
                }
                throw e;
            }
            file.begunAt(begunNs.computeIfAbsent(path, made -> System.nanoTime()));
            open.put(path, file);
            if (file.isFull(rotation)) {
                // It was closed meanwhile, and is due.
                return write(path, bytes, length);
            }
        }
        try {
            file.append(bytes, length, sync == Sync.BATCH);
        } catch (IOException e) {
            open.remove(path);
            file.close();
            throw e;
        }
        return null;
    }

    /** Closes a file that is full, or is not there any more. */
    private void end(String path) throws IOException {
        OpenFile file = open.get(path);
        if (file != null && (file.isFull(rotation) || file.isGone())) {
            open.remove(path);
            begunNs.remove(path);
            file.close();
            if (file.isFull(rotation)) {
                file.rotate(compressor, rotation.compression());
            }
        }
    }

    /**
     * Why it is the name that keeps a file from being opened, for a name that messages made: that must not stop the others. Null
     * if it is the settings or the disk, which somebody will mend.
     */
    private @Nullable String unusable(String path) {
        if (!template.isOfMessages()) {
            return null;
        }
        Path file = Path.of(path);
        if (Files.exists(file)) {
            return !Files.isRegularFile(file)
                    ? file + " is not a regular file"
                    : Files.isReadable(file) && Files.isWritable(file) ? null : "no permission for " + file;
        }
        int fixed = Path.of(template.fixedDirectory(path)).toString().length();
        for (Path each = file.getParent(); each != null && each.toString().length() > fixed; each = each.getParent()) {
            if (Files.exists(each) && !Files.isDirectory(each)) {
                return each + " is not a directory";
            }
        }
        return null;
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
