package io.millrace.deliver;

import io.millrace.agent.FailureLog;
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
 * Reads the journal into batches: what the filter passes over is counted, the rest is encoded by the sink. A datagram counts
 * as read once it is in a batch; a cursor that is opened again goes on with the first that is not. One thread.
 */
final class BatchFiller {
    private static final Logger LOG = LoggerFactory.getLogger(BatchFiller.class);
    private static final int POLL_DATAGRAMS = 1024;
    /** So many times the records of a batch, or for so long, is read at most before it goes out. */
    private static final long MAX_BATCHES_READ = 8;

    private static final long MAX_NS = 100_000_000;

    private final SinkSettings settings;
    private final Sink sink;
    private final Journal journal;
    private final @Nullable Filter filter;
    private final InputNames inputs;
    private final LogRecord record;
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
        this.inputs = new InputNames(journal);
        this.record = new LogRecord(settings.rules(), settings.inputRules(), settings.extensions());
        // A datagram may hold thousands of messages, and all of them go into the same batch.
        this.pollDatagrams = settings.splitsLines() ? 1 : POLL_DATAGRAMS;
    }

    /** Begins with these datagrams, by shard; before the first {@link #open}. */
    void beginWith(long[] sequences) {
        next = sequences.clone();
    }

    /** Opens the journal, unless it is open: it goes on with what is in no batch. */
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

    /** Reads on until the batch is full, there is no more, or much was passed over; returns how many datagrams that were. */
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
                // The filter lets little through: that goes out now, and what it passed over is taken account of.
                break;
            }
        }
        return count;
    }

    /**
     * All messages of a datagram go into the same batch: a position never lies between them. What throws here is met again by
     * the next cursor: nothing is noted as read before it is in the batch.
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
            batch.cutBack(size, bytes);
            throw e;
        }
        // Of several messages it is enough that one is wanted.
        batch.filtered += batch.size() == size ? 1 : 0;
        batch.firstTimeNs = batch.firstTimeNs == 0 ? datagram.receiveTimeNs() : batch.firstTimeNs;
        read(position.shard(), position.sequence() + 1);
    }

    /** Adds the record, or why it is refused, unless the filter passes over it. */
    private void encode(SinkBatch batch) {
        int begin = batch.byteCount();
        try {
            if (filter == null || filter.matches(record)) {
                batch.add(record, sink.encode(record, batch.buffer()));
            }
        } catch (RefusedException e) {
            batch.buffer().end(begin);
            batch.addRefused(record, e.kind(), String.valueOf(e.getMessage()));
        } catch (RuntimeException | StackOverflowError e) {
            batch.buffer().end(begin);
            batch.addRefused(record, Refusal.ENCODING, "it cannot be encoded: " + e.getMessage());
            if (!(e instanceof IllegalArgumentException)) {
                failures.report("Output " + settings.name() + " cannot encode a record, and refuses it", e);
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
