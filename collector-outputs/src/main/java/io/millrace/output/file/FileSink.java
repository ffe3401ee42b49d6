package io.millrace.output.file;

import io.millrace.internal.agent.FailureLog;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.output.Compression;
import io.millrace.output.internal.name.NameLimit;
import io.millrace.output.internal.name.NameTemplate;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Refusal;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sink that appends records to files, one line per record. Paths may contain fields. Each batch is one write per
 * file. A partial write is undone, and one that a crash left is removed when the file is opened, so no incomplete line
 * precedes another.
 *
 * <p><b>Names from messages.</b> Such a name may be unusable (it is a directory), belong to another output or to a file
 * that this output did not create, or exceed the limit. Its records then go to the name with {@value
 * NameTemplate#OTHER} for each field, and count as renamed. If that file is not this output's either, they are
 * rejected. All other failures, such as a full or read-only disk, are errors of the destination: the output waits.
 */
final class FileSink implements Sink {
    private static final Logger LOG = LoggerFactory.getLogger(FileSink.class);
    private static final int MAX_BEGUN = 65_536;
    private static final int MAX_OPEN = 128;
    private static final int MAX_SPARE_BYTES = 1 << 20;

    /**
     * When a file is rotated.
     *
     * @param bytes the maximum size
     * @param after the maximum time since it was first opened
     * @param compression the compression of rotated files
     * @param keep which rotated files are kept
     */
    record Rotation(long bytes, Duration after, Compression compression, FileRetention.Keep keep) {
        static final Rotation NEVER = new Rotation(Long.MAX_VALUE, Duration.ofDays(36_500), Compression.NONE);

        Rotation(long bytes, Duration after, Compression compression) {
            this(bytes, after, compression, FileRetention.Keep.ALL);
        }
    }

    private final LineFormat format;
    private final NameTemplate template;
    private final Rotation rotation;
    private final FileSettings.Sync sync;
    private final NameLimit limit;
    private final OpenFile.Owner owner;
    private final RotatedNames rotatedNames = new RotatedNames(Clock.systemUTC());
    private final Compressor compressor = new Compressor();
    private final FileRetention retention;
    private final LongAdder renamed = new LongAdder();
    private final FailureLog unusable = new FailureLog(LOG);
    private final FailureLog limited = new FailureLog(LOG);
    private final Map<String, OpenFile> open = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<String, Long> begunNs = new Begun();
    private final Map<NameTemplate.Name, Piece> pieces = new LinkedHashMap<>();
    private final Deque<Piece> spare = new ArrayDeque<>();

    /** The first write times of recent files, including closed ones. */
    private static final class Begun extends LinkedHashMap<String, Long> {
        private static final long serialVersionUID = 1;

        Begun() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MAX_BEGUN;
        }
    }

    /** The file exceeds the limit of names from messages. */
    private static final class TooManyNamesException extends UnusableNameException {
        private static final long serialVersionUID = 1;

        TooManyNamesException(String reason) {
            super(reason);
        }
    }

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

        void accept(SinkBatch batch) {
            for (int i = 0; i < count; i++) {
                batch.accept(records[i]);
            }
        }

        void refuse(SinkBatch batch, String reason) {
            for (int i = 0; i < count; i++) {
                batch.refuse(records[i], Refusal.NAME, reason);
            }
        }

        void clear() {
            bytes.clear();
            count = 0;
        }
    }

    /**
     * Creates the sink; files are opened on demand.
     *
     * @param output its name, with which it marks its files
     * @param limit the limit of names from messages
     */
    FileSink(
            String output,
            LineFormat format,
            NameTemplate template,
            Rotation rotation,
            FileSettings.Sync sync,
            NameLimit limit) {
        this.format = format;
        this.template = template;
        this.rotation = rotation;
        this.retention = new FileRetention(rotation.keep(), compressor::execute, Clock.systemUTC());
        this.sync = sync;
        this.limit = limit;
        this.owner = new OpenFile.Owner(this, template.isOfMessages() ? output : null);
    }

    @Override
    public void begin() {
        FileClaims.OF_PROCESS.reserve(this, template);
    }

    @Override
    public Object encode(LogRecord record, LineBuffer out) {
        format.write(record, out);
        return template.of(record);
    }

    @Override
    public long adjusted(Adjustment how) {
        return how == Adjustment.RENAMED ? renamed.sum() : 0;
    }

    @Override
    public long filesDeleted() {
        return retention.deleted();
    }

    @Override
    public void send(SinkBatch batch) throws IOException {
        if (template.isConstant() && batch.openCount() == batch.size()) {
            append(file(template.toString()), batch.array(), batch.byteCount());
        } else {
            sendByFile(batch);
        }
        batch.done();
    }

    private void sendByFile(SinkBatch batch) throws IOException {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isOpen(i)) {
                NameTemplate.Name name = (NameTemplate.Name) Objects.requireNonNull(batch.tag(i));
                pieces.computeIfAbsent(name, made -> spare.isEmpty() ? new Piece() : spare.remove())
                        .add(batch, i);
            }
        }
        try {
            for (Map.Entry<NameTemplate.Name, Piece> each : pieces.entrySet()) {
                Piece piece = each.getValue();
                NameTemplate.Name name = each.getKey();
                write(batch, name, piece);
            }
        } finally {
            pieces.values().forEach(this::keep);
            pieces.clear();
        }
    }

    /** The records of this file are written, even if other files fail. */
    private void write(SinkBatch batch, NameTemplate.Name name, Piece piece) throws IOException {
        OpenFile file;
        try {
            file = file(name);
        } catch (UnusableNameException e) {
            if (!template.isOfMessages()) {
                throw e;
            }
            piece.refuse(batch, Secrets.known().redact(String.valueOf(e.getMessage())));
            return;
        }
        append(file, piece.bytes.array(), piece.bytes.length());
        piece.accept(batch);
        if (!file.isAt(name.text())) {
            renamed.add(piece.count);
        }
    }

    private void keep(Piece piece) {
        if (spare.size() < MAX_OPEN && piece.bytes.array().length <= MAX_SPARE_BYTES) {
            piece.clear();
            spare.add(piece);
        }
    }

    /**
     * The file of a name, or the fallback file.
     *
     * @throws UnusableNameException if the fallback file is not this output's either
     */
    private OpenFile file(NameTemplate.Name name) throws IOException {
        if (name.isOther()) {
            return file(name.text());
        }
        try {
            check(name);
            return file(name.text());
        } catch (IOException e) {
            if (!isOfName(e, name.text())) {
                throw e;
            }
            OpenFile file = file(name.other());
            // Separate logs, so that one message does not suppress the other.
            FailureLog log = e instanceof TooManyNamesException ? limited : unusable;
            log.report("{}; its messages go to {}", String.valueOf(e.getMessage()), name.other());
            return file;
        }
    }

    private void check(NameTemplate.Name name) throws IOException {
        Path path = Path.of(name.text());
        if (open.containsKey(name.text())) {
            limit.note(name.fields());
        } else if (FileClaims.OF_PROCESS.isReserved(path, this)) {
            throw new UnusableNameException("another output writes to " + path + ": a file belongs to one output");
        } else if (OpenFile.isOwned(path, owner)) {
            limit.note(name.fields());
        } else if (!limit.admits(name.fields())) {
            throw new TooManyNamesException(limit + ", so " + path + " is not made");
        }
    }

    private OpenFile file(String path) throws IOException {
        end(path);
        OpenFile file = open.get(path);
        if (file == null) {
            closeOldest();
            file = OpenFile.open(Path.of(path), owner);
            if (!begunNs.containsKey(path)) {
                begunNs.put(path, System.nanoTime());
                // For the first time, or after a rotation.
                retention.expire(file.path());
            }
            file.begunAt(begunNs.getOrDefault(path, System.nanoTime()));
            open.put(path, file);
            if (file.isFull(rotation)) {
                // The file was closed meanwhile, and is due for rotation.
                return file(path);
            }
        }
        return file;
    }

    private void append(OpenFile file, byte[] bytes, int length) throws IOException {
        try {
            file.append(bytes, length, sync == FileSettings.Sync.BATCH);
        } catch (IOException e) {
            open.values().remove(file);
            file.close();
            throw e;
        }
    }

    /** Closes a file that is full or was removed. */
    private void end(String path) throws IOException {
        OpenFile file = open.get(path);
        if (file != null && (file.isFull(rotation) || file.isGone())) {
            open.remove(path);
            begunNs.remove(path);
            file.close();
            if (file.isFull(rotation)) {
                file.rotate(rotatedNames, compressor, rotation.compression());
            }
        }
    }

    /** True if the name prevents the opening of a file, and not the disk or the settings. */
    private boolean isOfName(IOException e, String path) {
        if (e instanceof UnusableNameException || e instanceof AccessDeniedException) {
            return true;
        }
        int fixed = Path.of(template.fixedDirectory(path)).toString().length();
        for (Path each = Path.of(path).getParent(); each != null; each = each.getParent()) {
            if (each.toString().length() > fixed && Files.exists(each) && !Files.isDirectory(each)) {
                return true;
            }
        }
        return false;
    }

    private void closeOldest() throws IOException {
        while (open.size() >= MAX_OPEN) {
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
        FileClaims.OF_PROCESS.releaseAll(this);
        compressor.close();
    }
}
