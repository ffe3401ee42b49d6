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
    private final FileSettings.Sync sync;
    private final NameLimit limit;
    private final OpenFile.Owner owner;
    private final Compressor compressor = new Compressor();
    private final FileRetention retention;
    private final OpenFiles files;
    private final FileSweep sweep;
    private final LongAdder renamed = new LongAdder();
    private final FailureLog unusable = new FailureLog(LOG);
    private final FailureLog limited = new FailureLog(LOG);
    private final Map<NameTemplate.Name, Piece> pieces = new LinkedHashMap<>();
    private final Deque<Piece> spare = new ArrayDeque<>();

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
        this.retention = new FileRetention(rotation.keep(), compressor::execute);
        this.sync = sync;
        this.limit = limit;
        this.owner = new OpenFile.Owner(this, template.isConstant() ? null : output, template.isOfMessages());
        this.files = new OpenFiles(owner, rotation, compressor, retention);
        this.sweep = new FileSweep(template, rotation, files, retention, compressor, Clock.systemUTC());
    }

    @Override
    public void begin() {
        FileClaims.OF_PROCESS.reserve(this, template);
        sweep.start();
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
        synchronized (files) {
            if (template.isConstant() && batch.openCount() == batch.size()) {
                append(files.get(template.toString()), batch.array(), batch.byteCount());
            } else {
                sendByFile(batch);
            }
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
        if (spare.size() < OpenFiles.MAX && piece.bytes.array().length <= MAX_SPARE_BYTES) {
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
            return files.get(name.text());
        }
        try {
            check(name);
            return files.get(name.text());
        } catch (IOException e) {
            if (!isOfName(e, name.text())) {
                throw e;
            }
            OpenFile file = files.get(name.other());
            // Separate logs, so that one message does not suppress the other.
            FailureLog log = e instanceof TooManyNamesException ? limited : unusable;
            log.report("{}; its messages go to {}", String.valueOf(e.getMessage()), name.other());
            return file;
        }
    }

    private void check(NameTemplate.Name name) throws IOException {
        Path path = Path.of(name.text());
        if (files.contains(name.text())) {
            limit.note(name.fields());
        } else if (FileClaims.OF_PROCESS.isReserved(path, this)) {
            throw new UnusableNameException("another output writes to " + path + ": a file belongs to one output");
        } else if (OpenFile.isOwned(path, owner)) {
            limit.note(name.fields());
        } else if (!limit.admits(name.fields())) {
            throw new TooManyNamesException(limit + ", so " + path + " is not made");
        }
    }

    private void append(OpenFile file, byte[] bytes, int length) throws IOException {
        try {
            file.append(bytes, length, sync == FileSettings.Sync.BATCH);
        } catch (IOException e) {
            files.close(file);
            throw e;
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

    @Override
    public void close() throws IOException {
        files.close();
        FileClaims.OF_PROCESS.releaseAll(this);
        compressor.close();
    }
}
