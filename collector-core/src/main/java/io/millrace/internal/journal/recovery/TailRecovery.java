package io.millrace.internal.journal.recovery;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.file.ChronicleBytes;
import io.millrace.internal.journal.file.ChronicleIndex;
import io.millrace.internal.journal.file.FileWindow;
import io.millrace.internal.record.BatchView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tail recovery: corrects the header of a shard's last files before Chronicle opens them. Chronicle appends after the
 * excerpt that the header names as the last. If that is wrong, after a power failure or a disk error, Chronicle would
 * overwrite batches or append where readers cannot find them. So this class compares the header with the last excerpt.
 * If they do not match, it follows all length words and corrects the header. If the chain of length words is broken
 * before the last batch, it writes an end mark there, and the journal continues in a new file. It never changes an
 * intact batch. One thread, and no other writer.
 */
public final class TailRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(TailRecovery.class);
    /** The number of Chronicle's own documents at the beginning of a file: an index of indexes, and an index. */
    private static final int DOCUMENTS = 2;

    private static final long NONE = -1;

    private final Path path;
    private final boolean isLast;
    private final long journalId;
    private final FileWindow file;
    private final long size;
    private final ChronicleIndex index;
    private final BatchView batch = new BatchView();

    /** The position of the next length word and of the last excerpt, and the number of excerpts and documents. */
    private long end = ChronicleIndex.HEADER_BYTES;

    private long last;
    private long excerpts;
    private int documents;

    private TailRecovery(Path path, FileWindow file, boolean isLast, long journalId) throws IOException {
        this.path = path;
        this.file = file;
        this.isLast = isLast;
        this.journalId = journalId;
        this.size = file.size();
        this.index = new ChronicleIndex(file, true);
    }

    /**
     * Checks and corrects the two newest files of a shard, because Chronicle opens both.
     *
     * @param journaled the number of journaled datagrams of the shard, according to counters and outputs
     * @return the sequence number after all batches in these files that readers cannot find; 0 if there are none
     * @throws IOException if a file cannot be read or corrected
     */
    public static long check(Path shard, long journalId, long journaled) throws IOException {
        long next = 0;
        List<Path> files = JournalPaths.files(shard);
        for (int i = Math.max(0, files.size() - 2); i < files.size(); i++) {
            Path path = files.get(i);
            boolean isUsed = true;
            try (FileWindow window = new FileWindow(path)) {
                TailRecovery place = new TailRecovery(path, window, i == files.size() - 1, journalId);
                if (!place.isValidHeader()) {
                    place.followLengthWords();
                    long unreachable = place.unreachable();
                    isUsed = place.documents >= DOCUMENTS || place.excerpts > 0 || unreachable != NONE;
                    next = Math.max(next, unreachable);
                    if (isUsed) {
                        place.correct(unreachable != NONE);
                    }
                }
            }
            if (!isUsed) {
                EmptyFiles.remove(path, journaled);
            }
        }
        return next;
    }

    /**
     * True if the header is valid and names the last excerpt. An incomplete header is not valid: Chronicle would wait
     * ten seconds for its completion, and fail.
     */
    private boolean isValidHeader() throws IOException {
        long position = file.longAt(ChronicleIndex.WRITE_POSITION);
        if (size < ChronicleIndex.HEADER_BYTES
                || !ChronicleBytes.isComplete(file.intAt(0))
                || index.header() != null
                || !index.canContinue()
                || !ChronicleIndex.fits(position, file.longAt(ChronicleIndex.SEQUENCE))
                || !isBatchAt(position)) {
            return false;
        }
        int next = file.intAt(ChronicleBytes.next(position + ChronicleBytes.WORD_BYTES + batch.length()));
        return next == ChronicleBytes.END_OF_DATA || (isLast && next == 0);
    }

    /**
     * True if a length word is followed by the header of a batch with the same length. The payload may be damaged.
     */
    private boolean isBatchAt(long position) throws IOException {
        int word = hasHeaderAt(position) ? file.intAt(position) : 0;
        return ChronicleBytes.isComplete(word)
                && !ChronicleBytes.isMetadata(word)
                && batch.length() == ChronicleBytes.length(word)
                && position + ChronicleBytes.WORD_BYTES + batch.length() <= size;
    }

    /**
     * True if the length word at this position is followed by a batch header of the journal, which the view then wraps.
     */
    private boolean hasHeaderAt(long position) throws IOException {
        long at = position + ChronicleBytes.WORD_BYTES;
        if (position < ChronicleIndex.HEADER_BYTES
                || position > size
                || position % ChronicleBytes.WORD_BYTES != 0
                || !file.load(position, ChronicleBytes.WORD_BYTES + BatchView.headerBytes())
                || !BatchView.isMagicAt(file.memory(), file.at(at))) {
            return false;
        }
        int available = (int) Math.min(size - at, BatchView.MAX_BYTES);
        BatchView.Health health =
                batch.wrap(file.memory(), file.at(at), available).checkHeader();
        return batch.journalId() == journalId
                && batch.length() >= BatchView.headerBytes()
                && (health == BatchView.Health.OK || health == BatchView.Health.UNKNOWN_VERSION);
    }

    /** True if a batch is intact. A batch of an unknown version counts as intact. */
    private boolean isWholeAt(long position) throws IOException {
        if (!hasHeaderAt(position)) {
            return false;
        }
        int bytes = ChronicleBytes.WORD_BYTES + batch.length();
        if (!file.load(position, bytes)) {
            return false;
        }
        long at = position + ChronicleBytes.WORD_BYTES;
        BatchView.Health health =
                batch.wrap(file.memory(), file.at(at), file.loadedFrom(at)).check();
        return health == BatchView.Health.OK || health == BatchView.Health.UNKNOWN_VERSION;
    }

    /**
     * Follows the length words as readers do, up to the first one that is incomplete or does not match its intact
     * batch.
     */
    private void followLengthWords() throws IOException {
        while (file.load(end, ChronicleBytes.WORD_BYTES)) {
            int word = file.memory().getInt(file.at(end));
            long next = end + ChronicleBytes.WORD_BYTES + ChronicleBytes.length(word);
            boolean isValid = ChronicleBytes.isComplete(word) && next <= size;
            if (!isValid || (hasHeaderAt(end) && batch.length() != ChronicleBytes.length(word) && isWholeAt(end))) {
                return;
            }
            if (ChronicleBytes.isMetadata(word)) {
                index.metadata(end);
                documents++;
            } else {
                index.excerpt(end);
                last = end;
                excerpts++;
            }
            end = ChronicleBytes.next(next);
        }
    }

    /**
     * The sequence number after the last intact batch beyond the end, or {@link #NONE}. A batch directly at the end
     * with the length word 0, and without a later batch, does not count: it is an append that a kill interrupted.
     */
    private long unreachable() throws IOException {
        long next = NONE;
        long uncommitted = NONE;
        long position = end + ChronicleBytes.WORD_BYTES;
        while (file.load(position - ChronicleBytes.WORD_BYTES, ChronicleBytes.WORD_BYTES + BatchView.headerBytes())) {
            long word = position - ChronicleBytes.WORD_BYTES;
            if (!isWholeAt(word)) {
                file.load(word, ChronicleBytes.WORD_BYTES + BatchView.headerBytes());
                position = ShardScan.nextMagic(file, position);
                continue;
            }
            if (word == end && file.intAt(word) == 0) {
                uncommitted = batch.nextSequence();
            } else {
                next = Math.max(next, batch.nextSequence());
            }
            position = ChronicleBytes.next(position + batch.length());
        }
        return next == NONE ? NONE : Math.max(next, uncommitted);
    }

    /**
     * Corrects the header, and writes an end mark if there are batches that readers cannot find.
     */
    private void correct(boolean more) throws IOException {
        ByteBuffer header = ChronicleIndex.header(last, excerpts, index.wrongIndex(end) == null);
        int word = file.intAt(end);
        int wanted = more || !isLast ? ChronicleBytes.END_OF_DATA : 0;
        boolean isWrong = !header.equals(file.bytesAt(0, header.limit()));
        if (isWrong) {
            LOG.warn(
                    "{}: the header was damaged, with the last batch at byte {} instead of byte {}; it was corrected",
                    path,
                    file.longAt(ChronicleIndex.WRITE_POSITION),
                    last);
        }
        if (more) {
            LOG.warn(
                    "{} is damaged at byte {}: readers cannot find the batches after it until 'millrace journal"
                            + " repair'; the journal continues in a new file",
                    path,
                    end);
        }
        try (DiskFile channel = Disk.of(path).open(path, StandardOpenOption.WRITE)) {
            if (word != wanted && word != ChronicleBytes.END_OF_DATA) {
                channel.write(
                        ByteBuffer.allocate(ChronicleBytes.WORD_BYTES)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putInt(wanted)
                                .flip(),
                        end);
            }
            if (isWrong) {
                channel.write(header, 0);
            }
        }
    }
}
