package io.millrace.journal.recovery;

import io.millrace.journal.JournalPaths;
import io.millrace.journal.file.ChronicleBytes;
import io.millrace.journal.file.ChronicleIndex;
import io.millrace.journal.file.FileWindow;
import io.millrace.record.BatchView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where Chronicle will append: it believes what a file's header says of the last excerpt. Where that is wrong, after a
 * power failure or on a disk that fails, it would append behind a place at which every reader stops, or over what is
 * there. So before Chronicle opens a shard, the header is compared with the last excerpt, and, only if it does not fit,
 * with all the length words. What is wrong is set right; a file whose batches do not all hang together is not written
 * on, but ends where readers get to. No batch that is whole is touched. One thread; nobody else writes.
 */
public final class TailRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(TailRecovery.class);
    /** Chronicle has an index of indexes and an index in a file before there is anything else. */
    private static final int DOCUMENTS = 2;

    private static final long NONE = -1;

    private final Path path;
    private final boolean isLast;
    private final long journalId;
    private final FileWindow file;
    private final long size;
    private final ChronicleIndex index;
    private final BatchView batch = new BatchView();

    /** Where the next length word will be, the last excerpt is, and how many there are of each kind. */
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
     * Looks at the newest file of a shard, and at the one before, which Chronicle opens too.
     *
     * @param journaled how many datagrams of the shard were journaled, as counters and outputs say
     * @return a sequence number that is greater than those of all batches that no reader gets to in these files; 0 if
     *     there are none
     * @throws IOException if a file cannot be read, or what is wrong cannot be set right
     */
    public static long check(Path shard, long journalId, long journaled) throws IOException {
        long next = 0;
        List<Path> files = JournalPaths.files(shard);
        for (int i = Math.max(0, files.size() - 2); i < files.size(); i++) {
            Path path = files.get(i);
            boolean isUsed = true;
            try (FileWindow window = new FileWindow(path)) {
                TailRecovery place = new TailRecovery(path, window, i == files.size() - 1, journalId);
                if (!place.isRight()) {
                    place.walk();
                    long behind = place.behind();
                    isUsed = place.documents >= DOCUMENTS || place.excerpts > 0 || behind != NONE;
                    next = Math.max(next, behind);
                    if (isUsed) {
                        place.setRight(behind != NONE);
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
     * True if the header has the last excerpt, as far as can be told from it and from what comes after it. One that is
     * not complete is not right: Chronicle would wait ten seconds for whoever writes it, and fail.
     */
    private boolean isRight() throws IOException {
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
     * True if a batch of the journal begins behind a length word, which says the same length. Its bytes may be damaged.
     */
    private boolean isBatchAt(long position) throws IOException {
        int word = hasHeaderAt(position) ? file.intAt(position) : 0;
        return ChronicleBytes.isComplete(word)
                && !ChronicleBytes.isMetadata(word)
                && batch.length() == ChronicleBytes.length(word)
                && position + ChronicleBytes.WORD_BYTES + batch.length() <= size;
    }

    /** True if the header of a batch of the journal is behind this place of a length word; the view shows it then. */
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

    /** True if all of a batch is there. Of a version that is not known that cannot be told: it is taken for whole. */
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
     * Follows the length words as readers do, to the first that leads nowhere, or past the end of a batch that is
     * whole.
     */
    private void walk() throws IOException {
        while (file.load(end, ChronicleBytes.WORD_BYTES)) {
            int word = file.memory().getInt(file.at(end));
            long next = end + ChronicleBytes.WORD_BYTES + ChronicleBytes.length(word);
            boolean leadsOn = ChronicleBytes.isComplete(word) && next <= size;
            if (!leadsOn || (hasHeaderAt(end) && batch.length() != ChronicleBytes.length(word) && isWholeAt(end))) {
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
     * The sequence number after the last whole batch behind the end, or none. One that stands right there and was never
     * committed is none, if nothing follows: an append that a kill cut off.
     */
    private long behind() throws IOException {
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
     * Has the header say what is there, and the file end where readers get to if there is more that they do not get to.
     */
    private void setRight(boolean more) throws IOException {
        ByteBuffer header = ChronicleIndex.header(last, excerpts, index.wrongIndex(end) == null);
        int word = file.intAt(end);
        int wanted = more || !isLast ? ChronicleBytes.END_OF_DATA : 0;
        boolean isWrong = !header.equals(file.bytesAt(0, header.limit()));
        if (isWrong) {
            LOG.warn(
                    "{}: its header had byte {} as the place of the last batch, and that is at byte {}, or was damaged"
                            + " elsewhere: it is set right",
                    path,
                    file.longAt(ChronicleIndex.WRITE_POSITION),
                    last);
        }
        if (more) {
            LOG.warn(
                    "{} is damaged at byte {}: the batches behind it are not read before 'millrace journal repair'; the"
                            + " journal goes on in another file",
                    path,
                    end);
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
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
