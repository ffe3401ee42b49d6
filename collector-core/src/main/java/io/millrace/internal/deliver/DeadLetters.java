package io.millrace.internal.deliver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.deliver.Redelivery.Place;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import io.millrace.internal.edit.Editor;
import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.parse.MessageLines;
import io.millrace.journal.CursorPosition;
import io.millrace.journal.DatagramView;
import io.millrace.journal.InputNames;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.journal.Position;
import io.millrace.message.LineBuffer;
import io.millrace.sink.Refusal;
import io.millrace.sink.SinkBatch;
import io.millrace.sink.SinkSettings;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dead letters of a sink: {@code <data>/dead-letters/<sink>.ndjson}, one JSON object per line, with the reason, where
 * the datagram is in the journal, and its payload in base64. If a datagram holds several messages, the payload is the refused one. A
 * record that is refused again after a crash is written again.
 *
 * <p>A file that has reached half of the limit is renamed to {@code <sink>.ndjson.1} and replaces the previous one. So the oldest dead
 * letters are deleted first, and counted. One thread; others may drop them, and ask for what methods say.
 */
final class DeadLetters implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final int FLUSH_BYTES = 256 << 10;
    private static final int SEARCH_BYTES = 8 << 10;

    private final FailureLog refusals = new FailureLog(LOG);
    private final String sink;
    private final Journal journal;
    private final InputNames inputs;
    private final Path file;
    private final Path older;
    private final long maxFileBytes;
    private final AtomicLong deleted = new AtomicLong();
    private final LineBuffer lines = new LineBuffer();
    private final MessageLines messages = new MessageLines();
    private final SinkSettings settings;
    private final Map<String, JournalRecord> records = new HashMap<>();
    private final Editor editor;
    private @Nullable DiskFile channel;
    private long reached;
    private String origin = "";
    private String input = "";
    private volatile @Nullable String lastSource;
    private byte[] payload = {};

    DeadLetters(Journal journal, SinkSettings settings) {
        this.settings = settings;
        this.sink = settings.name();
        this.journal = journal;
        this.inputs = new InputNames(journal);
        this.file = journal.dataDirectory().resolve("dead-letters").resolve(sink + ".ndjson");
        this.older = file.resolveSibling(file.getFileName() + ".1");
        this.maxFileBytes = settings.deadLetterBytes() / 2;
        this.editor = new Editor(settings.edits(), settings.fields());
    }

    /**
     * Writes the refused records of a batch; they are on disk when this method returns.
     *
     * @return how many datagrams they are from
     */
    synchronized int write(DeliveryBatch batch) throws IOException {
        int datagrams = 0;
        int last = -1;
        lines.clear();
        // Sequences of a shard ascend in a batch: one cursor each finds all of them.
        Map<Integer, JournalCursor> cursors = new HashMap<>();
        try {
            for (int i = 0; i < batch.size(); i++) {
                String reason = batch.refusal(i);
                // What a summary stands for is in the journal, and counts as filtered.
                if (reason != null && !batch.isSummary(i)) {
                    int shard = batch.shard(i);
                    JournalCursor cursor = cursors.get(shard);
                    if (cursor == null) {
                        cursor = journal.cursor()
                                .from(new Position(shard, batch.sequence(i)))
                                .open();
                        cursors.put(shard, cursor);
                    }
                    if (last < 0 || !batch.isSameDatagram(last, i)) {
                        find(batch.sequence(i), cursor);
                        datagrams++;
                    }
                    append(batch, i, reason);
                    last = i;
                }
                if (lines.length() >= FLUSH_BYTES) {
                    flush();
                }
            }
            if (lines.length() > 0) {
                flush();
            }
            if (datagrams > 0) {
                refusals.report(
                        "Output {} refused records of {} of {} datagrams: they are in {}, with the reasons",
                        sink,
                        datagrams,
                        batch.datagrams,
                        file);
            }
        } finally {
            cursors.values().forEach(JournalCursor::close);
        }
        return datagrams;
    }

    /** The places of all dead letters of this journal, each once, in its order. */
    synchronized NavigableSet<Place> places() throws IOException {
        removeUnfinishedLine();
        long journalId = journal.meta().journalId();
        NavigableSet<Place> places = new TreeSet<>();
        for (Path each : List.of(older, file)) {
            if (Disk.of(each).exists(each)) {
                try (Stream<String> all = Disk.of(each).lines(each, ISO_8859_1)) {
                    all.map(line -> Place.of(line, journalId))
                            .filter(Objects::nonNull)
                            .forEach(places::add);
                }
            }
        }
        return places;
    }

    /** Removes the dead letters of some places. If this throws, each file is as before or without them, and the call can be repeated. */
    synchronized void remove(Set<Place> places) throws IOException {
        close();
        removeUnfinishedLine();
        Path next = file.resolveSibling(file.getFileName() + ".new");
        for (Path each : List.of(older, file)) {
            if (Disk.of(each).exists(each)) {
                copy(each, next, places);
                if (Disk.of(next).size(next) == 0) {
                    Disk.of(each).delete(each);
                    Disk.of(next).delete(next);
                } else {
                    Disk.of(next).rename(next, each);
                }
            }
        }
    }

    /** Deletes all; returns how many there were. Any thread. */
    synchronized long drop() throws IOException {
        close();
        removeUnfinishedLine();
        long dropped = 0;
        for (Path each : List.of(older, file)) {
            dropped += count(each);
            Disk.of(each).deleteIfExists(each);
        }
        return dropped;
    }

    private static long count(Path file) throws IOException {
        if (!Disk.of(file).exists(file)) {
            return 0;
        }
        try (Stream<String> all = Disk.of(file).lines(file, ISO_8859_1)) {
            return all.count();
        }
    }

    /** Copies all lines but those of some places to a new file, which is on disk then. */
    private void copy(Path from, Path to, Set<Place> without) throws IOException {
        long journalId = journal.meta().journalId();
        try (DiskFile target = Disk.of(to)
                        .open(
                                to,
                                Set.of(
                                        StandardOpenOption.CREATE,
                                        StandardOpenOption.TRUNCATE_EXISTING,
                                        StandardOpenOption.WRITE),
                                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
                Stream<String> all = Disk.of(from).lines(from, ISO_8859_1)) {
            OutputStream out = target.output();
            for (String line : (Iterable<String>) all::iterator) {
                Place place = Place.of(line, journalId);
                if (place == null || !without.contains(place)) {
                    out.write((line + "\n").getBytes(ISO_8859_1));
                }
            }
            out.flush();
            target.sync(true);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Dead letters that were deleted because the limit was reached. Any thread. */
    long deleted() {
        return deleted.get();
    }

    /** The address from which the last one came; null if there is none since the start. Any thread. */
    @Nullable
    String lastSource() {
        return lastSource;
    }

    /** Reads a datagram. */
    private void find(long sequence, JournalCursor cursor) {
        origin = "";
        reached = -1;
        while (reached < sequence && cursor.poll((datagram, position) -> pass(datagram, position, sequence), 1) > 0) {
            // Skip to the record.
        }
    }

    private void append(DeliveryBatch batch, int index, String reason) {
        text("{\"time\":\"" + Instant.now() + "\",\"kind\":\"" + code(batch.kind(index)) + "\",\"reason\":");
        byte[] bytes = reason.getBytes(UTF_8);
        JsonFormat.string(bytes, 0, bytes.length, lines);
        text(String.format(
                Locale.ROOT,
                ",\"journal\":\"%016x\",\"shard\":%d,\"sequence\":%d",
                batch.journalId(),
                batch.shard(index),
                batch.sequence(index)));
        int part = batch.part(index);
        if (part != SinkBatch.NO_PART) {
            text(",\"part\":" + part);
        }
        if (!origin.isEmpty()) {
            text(origin);
            payload(part);
        }
        text("}\n");
    }

    private static String code(@Nullable Refusal kind) {
        return kind == null ? "" : kind.code();
    }

    private JournalRecord recordOf(String of) {
        return new JournalRecord(settings.inputRules().getOrDefault(of, settings.rules()), Map.of(), settings.fields());
    }

    /** The message as the sink got it: what an edit has removed must not be here either. Without it if it cannot be edited. */
    private void payload(int part) {
        messages.whole(payload, 0, payload.length);
        if (part != SinkBatch.NO_PART) {
            messages.wrap(payload, 0, payload.length);
            for (int i = 0; i < part && messages.next(); i++) {
                // Skip to the part.
            }
        }
        try {
            JournalRecord message = records.computeIfAbsent(input, this::recordOf);
            JournalRecord edited = editor.edit(message.wrap(payload, messages.begin(), messages.end(), 0));
            if (editor.hasChangedFields()) {
                // The bytes still have a field that was removed.
                return;
            }
            byte[] bytes = Arrays.copyOfRange(edited.bytes(), edited.begin(), edited.end());
            text(",\"payload\":\"" + Base64.getEncoder().encodeToString(bytes) + "\"");
        } catch (RuntimeException e) {
            LOG.debug("A dead letter has no payload, because it cannot be edited", e);
        }
    }

    private void pass(DatagramView datagram, CursorPosition position, long wanted) {
        reached = position.sequence();
        if (reached == wanted) {
            datagram(datagram);
        }
    }

    private void datagram(DatagramView datagram) {
        payload = new byte[datagram.payloadLength()];
        datagram.copyPayload(payload, 0);
        String source = datagram.sourceText();
        lastSource = source;
        input = inputs.of(datagram.input());
        byte[] name = input.getBytes(UTF_8);
        LineBuffer json = new LineBuffer();
        JsonFormat.string(name, 0, name.length, json);
        origin = String.format(
                Locale.ROOT,
                ",\"receive_time_ns\":%d,\"source_ip\":\"%s\",\"source_port\":%d,\"input\":%s",
                datagram.receiveTimeNs(),
                source,
                datagram.sourcePort(),
                json);
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        lines.append(bytes, 0, bytes.length);
    }

    private void flush() throws IOException {
        DiskFile open = open();
        long end = open.size();
        if (end > 0 && end + lines.length() > maxFileBytes) {
            rotate();
            open = open();
            end = 0;
        }
        try {
            open.writeFully(ByteBuffer.wrap(lines.array(), 0, lines.length()), end);
            open.sync(true);
            lines.clear();
        } catch (IOException e) {
            // The next attempt writes all of them: remove what this one wrote, at the latest when that opens the file
            // again.
            channel = null;
            try (DiskFile failed = open) {
                failed.truncate(end);
            }
            throw e;
        }
    }

    private DiskFile open() throws IOException {
        DiskFile open = channel;
        if (open == null) {
            removeUnfinishedLine();
            Path directory = file.getParent();
            if (directory != null) {
                Disk.of(directory)
                        .createDirectories(
                                directory,
                                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
            }
            open = Disk.of(file)
                    .open(
                            file,
                            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
            channel = open;
        }
        return open;
    }

    /**
     * A crash, or a write that failed, may have left a part of a line at the end, whose record is not settled: it is refused again. The next
     * line would continue that part, and readers may take it for another dead letter.
     */
    private void removeUnfinishedLine() throws IOException {
        if (channel != null || !Disk.of(file).exists(file)) {
            return;
        }
        try (DiskFile open = Disk.of(file).open(file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE))) {
            long size = open.size();
            long end = endOfLines(open);
            if (end < size) {
                LOG.info("{} ends in half a line, which a crash left: {} bytes are removed", file, size - end);
                open.truncate(end);
            }
        }
    }

    /** The end of the last whole line. */
    private static long endOfLines(DiskFile file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(SEARCH_BYTES);
        long end = file.size();
        while (end > 0) {
            long begin = Math.max(0, end - SEARCH_BYTES);
            bytes.clear().limit((int) (end - begin));
            while (bytes.hasRemaining()) {
                if (file.read(bytes, begin + bytes.position()) < 0) {
                    throw new EOFException("the file of dead letters has become shorter");
                }
            }
            for (int i = bytes.limit(); i > 0; i--) {
                if (bytes.get(i - 1) == '\n') {
                    return begin + i;
                }
            }
            end = begin;
        }
        return 0;
    }

    /** Renames the file, replacing the previous one. */
    private void rotate() throws IOException {
        long lost = count(older);
        close();
        Disk.of(file).rename(file, older);
        if (lost > 0) {
            deleted.addAndGet(lost);
            LOG.warn("{} has reached its limit: the {} oldest dead letters were deleted", file, lost);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        DiskFile open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }
}
