package io.millrace.deliver;

import io.millrace.agent.FailureLog;
import io.millrace.edit.Editor;
import io.millrace.filter.Filter;
import io.millrace.format.LogRecord;
import io.millrace.journal.read.CursorPosition;
import io.millrace.journal.read.InputNames;
import io.millrace.journal.read.Journal;
import io.millrace.journal.read.JournalCursor;
import io.millrace.record.DatagramView;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the journal into batches: counts records that the filter or the sample excludes, and has the sink encode the others. A datagram counts as
 * read once it is in a batch; a reopened cursor continues with the first one that is not. One thread.
 */
final class BatchFiller {
    private static final Logger LOG = LoggerFactory.getLogger(BatchFiller.class);
    private static final int POLL_DATAGRAMS = 1024;
    /** A batch is sent after reading at most this many times its records, or for this long. */
    private static final long MAX_BATCHES_READ = 8;

    private static final long MAX_NS = 100_000_000;
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private final SinkSettings settings;
    private final Sink sink;
    private final Journal journal;
    private final @Nullable Filter filter;
    /** The largest hash code of the records in the sample, as an unsigned number. */
    private final long maxHash;

    private final InputNames inputs;
    private final LogRecord record;
    private final Editor editor;
    private final int pollDatagrams;
    private final FailureLog failures = new FailureLog(LOG);
    private @Nullable JournalCursor cursor;
    private @Nullable SinkBatch filling;
    private long[] next = {};
    private boolean caughtUp;

    BatchFiller(SinkSettings settings, Sink sink, Journal journal) {
        this.settings = settings;
        this.sink = sink;
        this.journal = journal;
        this.filter = settings.filter();
        this.maxHash = Long.divideUnsigned(-1, settings.sample());
        this.inputs = new InputNames(journal);
        this.record = new LogRecord(settings.rules(), settings.inputRules(), settings.fields());
        this.editor = settings.editor();
        // A datagram may hold thousands of messages, and all of them go into the same batch.
        this.pollDatagrams = settings.splitsLines() ? 1 : POLL_DATAGRAMS;
    }

    /** Sets the first datagrams, by shard; before the first {@link #open}. */
    void beginWith(long[] sequences) {
        next = sequences.clone();
    }

    /** Opens the journal, unless it is open, at the first datagrams that are in no batch. */
    void open() throws IOException {
        if (cursor == null) {
            cursor = journal.cursor().fromEach(next).onGap(this::onGap).open();
        }
    }

    boolean isOpen() {
        return cursor != null;
    }

    void close() {
        JournalCursor open = cursor;
        cursor = null;
        if (open != null) {
            open.close();
        }
    }

    /** The first datagram of each shard that is in no batch yet. */
    long[] next() {
        return next.clone();
    }

    /** True if the last {@link #fill} read everything there was. */
    boolean isCaughtUp() {
        return caughtUp;
    }

    /** Reads until the batch is full, everything was read, or the filter excluded many; returns the number of datagrams read. */
    int fill(SinkBatch batch) {
        JournalCursor from = Objects.requireNonNull(cursor);
        filling = batch;
        caughtUp = false;
        int count = 0;
        long beganNs = System.nanoTime();
        while (batch.size() < settings.batchRecords() && batch.byteCount() < settings.batchBytes()) {
            int polled = from.poll(this::take, Math.min(pollDatagrams, settings.batchRecords() - batch.size()));
            if (polled == 0) {
                caughtUp = true;
                break;
            }
            count += polled;
            if (count >= MAX_BATCHES_READ * settings.batchRecords()
                    || (count >= settings.batchRecords() && System.nanoTime() - beganNs > MAX_NS)) {
                // The filter matches little: that is sent now, and the position moves over the rest.
                break;
            }
        }
        return count;
    }

    /**
     * All messages of a datagram are in the same batch, so a position never lies between them. If this throws, the next cursor
     * reads the datagram again: it counts as read only once it is in the batch.
     */
    private void take(DatagramView datagram, CursorPosition position) {
        SinkBatch batch = Objects.requireNonNull(filling);
        record.wrap(datagram, inputs.of(datagram.input()), position.shard(), position.sequence());
        int size = batch.size();
        int bytes = batch.byteCount();
        try {
            do {
                encode(batch);
            } while (record.nextPart());
        } catch (RuntimeException | Error e) {
            batch.removeFrom(size, bytes);
            throw e;
        }
        // The filter must match one of several messages.
        batch.filtered += batch.size() == size ? 1 : 0;
        batch.firstTimeNs = batch.firstTimeNs == 0 ? datagram.receiveTimeNs() : batch.firstTimeNs;
        read(position.shard(), position.sequence() + 1);
    }

    /** True if the identity of the record is in the sample. A sample of 1/100 is part of one of 1/10. */
    private boolean isInSample() {
        return maxHash == -1 || Long.compareUnsigned(hash(record), maxHash) <= 0;
    }

    /** A hash of the identity whose bits all depend on each of its bits: the finalizer of splitmix64. */
    private static long hash(LogRecord record) {
        long identity = record.sequence() * SPREAD + ((long) record.shard() << 32 | record.part());
        long hash = (identity ^ identity >>> 30) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ hash >>> 27) * 0x94d049bb133111ebL;
        return hash ^ hash >>> 31;
    }

    /** Adds the record, or its refusal, unless the filter or the sample excludes it. */
    private void encode(SinkBatch batch) {
        int begin = batch.byteCount();
        try {
            if ((filter == null || filter.matches(record)) && isInSample()) {
                LogRecord edited = editor.edit(record);
                batch.add(edited, sink.encode(edited, batch.buffer()));
            }
        } catch (RefusedException e) {
            batch.buffer().end(begin);
            batch.addRefused(record, e.kind(), String.valueOf(e.getMessage()));
        } catch (RuntimeException | StackOverflowError e) {
            batch.buffer().end(begin);
            batch.addRefused(record, Refusal.ENCODING, "it cannot be encoded: " + e.getMessage());
            if (!(e instanceof IllegalArgumentException)) {
                failures.report("Output " + settings.name() + " cannot encode a record and refuses it", e);
            }
        }
    }

    private void onGap(int shard, long firstSequence, long count) {
        read(shard, firstSequence + count);
        Objects.requireNonNull(filling).missing += count;
    }

    private void read(int shard, long nextSequence) {
        if (shard >= next.length) {
            next = Arrays.copyOf(next, shard + 1);
        }
        next[shard] = nextSequence;
    }
}
