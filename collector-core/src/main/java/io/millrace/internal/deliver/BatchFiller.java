package io.millrace.internal.deliver;

import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.edit.Editor;
import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.gelf.ExpandedPayloads;
import io.millrace.internal.gelf.TooLargeException;
import io.millrace.internal.reduce.Repeats;
import io.millrace.internal.reduce.Sample;
import io.millrace.journal.CursorPosition;
import io.millrace.journal.DatagramView;
import io.millrace.journal.InputNames;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.journal.JournalCursor.DatagramHandler;
import io.millrace.message.Filter;
import io.millrace.sink.Positions;
import io.millrace.sink.Refusal;
import io.millrace.sink.RefusedException;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the journal into batches: counts records that are excluded by the filter, by the sample, or as repeats, and has the sink encode the others. A
 * datagram counts as read once it is in a batch; a reopened cursor continues with the first one that is not. One thread.
 */
final class BatchFiller {
    private static final Logger LOG = LoggerFactory.getLogger(BatchFiller.class);
    private static final int POLL_DATAGRAMS = 1024;
    /** A batch is sent after reading at most this many times its records, or for this long. */
    private static final long MAX_BATCHES_READ = 8;

    private static final long MAX_NS = 100_000_000;

    private final LongSupplier clock;
    private final SinkSettings settings;
    private final int maxRecords;
    private final int maxBytes;
    private final Sink sink;
    private final Journal journal;
    private final ExpandedPayloads expanded;
    private final @Nullable Filter filter;
    private final Sample sample;
    private final @Nullable Repeats repeats;

    private final InputNames inputs;
    private final JournalRecord record;
    private final Editor editor;
    private final long holdNs;
    private final FailureLog failures = new FailureLog(LOG);
    private final DatagramHandler handler = new Taking();
    private @Nullable JournalCursor cursor;
    private @Nullable DeliveryBatch filling;
    private long[] next = {};
    private Positions.@Nullable Range range;
    private boolean caughtUp;
    private boolean ending;
    private boolean works;
    /** True if the datagram, or a part of it, is in the batch. */
    private boolean taken;

    BatchFiller(SinkSettings settings, Sink sink, Journal journal, ExpandedPayloads expanded, LongSupplier clock) {
        this.clock = clock;
        this.settings = settings;
        this.maxRecords = settings.batchRecords();
        this.maxBytes = settings.batchBytes();
        this.sink = sink;
        this.journal = journal;
        this.filter = settings.filter();
        this.sample = new Sample(settings.sample());
        this.expanded = expanded;
        Duration window = settings.repeatWindow();
        this.repeats = window == null ? null : new Repeats(window, this::newRecord);
        this.inputs = new InputNames(journal);
        this.record = newRecord();
        this.editor = new Editor(settings.edits(), settings.fields());
        this.holdNs = OutputPacer.hold(settings).toNanos();
    }

    /** An empty record that is read by the rules of the inputs. */
    private JournalRecord newRecord() {
        return new JournalRecord(settings.rules(), settings.inputRules(), settings.fields()).sharing(expanded);
    }

    /** Sets the range to read; before the first {@link #open}. */
    void beginWith(Positions found) {
        next = found.next().clone();
        range = found.range();
    }

    /** True if the whole range was read. */
    boolean isAtEnd() {
        return range != null && range.isBefore(next);
    }

    /** Opens the journal, unless it is open, at the first datagrams that are in no batch. */
    void open() throws IOException {
        if (cursor == null) {
            cursor = journal.cursor()
                    .fromEach(next)
                    .toEach(range == null ? null : range.ends())
                    .onGap(this::onGap)
                    .open();
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

    /** The output ends: summaries of repeats do not wait for the end of their windows any more. */
    void end() {
        ending = true;
    }

    /**
     * True if the batch is to be sent: it has content, and does not wait for more. Without records there is nothing to wait for, and the
     * position moves over what was filtered out.
     */
    boolean isReady(DeliveryBatch batch) {
        return batch.hasContent()
                && (batch.size() == 0 || ending || isAtEnd() || !hasRoom(batch) || heldNs(batch) <= 0);
    }

    /**
     * So many datagrams of a batch were delivered. Until the first ones are, batches wait for nothing, so that a wrong password shows soon
     * after the start.
     */
    void delivered(int datagrams) {
        works |= datagrams > 0;
    }

    /** How long a batch with records waits for more. */
    private long heldNs(DeliveryBatch batch) {
        return holdNs == 0 || !works ? 0 : batch.begunNs + holdNs - clock.getAsLong();
    }

    /** How long until a summary of repeats or a batch that waits for more is due, in ns; {@link Long#MAX_VALUE} if neither is. */
    long dueNs(@Nullable DeliveryBatch waiting) {
        long summaryNs = repeats == null ? Long.MAX_VALUE : repeats.dueNs();
        summaryNs = summaryNs == Long.MAX_VALUE ? summaryNs : Math.max(0, summaryNs - DeliveryCounters.wallNs());
        return waiting == null || waiting.size() == 0 ? summaryNs : Math.min(summaryNs, Math.max(0, heldNs(waiting)));
    }

    /** Reads until the batch is full, everything was read, or the filter excluded many; returns the number of datagrams read. */
    int fill(DeliveryBatch batch) {
        JournalCursor from = Objects.requireNonNull(cursor);
        filling = batch;
        caughtUp = false;
        int count = 0;
        long beganNs = clock.getAsLong();
        while (hasRoom(batch)) {
            int polled = from.poll(handler, POLL_DATAGRAMS);
            if (polled == 0) {
                caughtUp = true;
                addSummaries(batch, ending || isAtEnd() ? Long.MAX_VALUE : DeliveryCounters.wallNs());
                break;
            }
            count += polled;
            if (count >= MAX_BATCHES_READ * maxRecords || clock.getAsLong() - beganNs > MAX_NS) {
                // The filter matches little, or messages take long: that is sent now, and the position moves over the
                // rest.
                break;
            }
        }
        return count;
    }

    /** The handler of what the cursor reads, until the batch is full. */
    private final class Taking implements DatagramHandler {
        @Override
        public void onDatagram(DatagramView datagram, CursorPosition position) {
            take(datagram, position);
        }

        @Override
        public boolean wantsMore() {
            return hasRoom(Objects.requireNonNull(filling));
        }
    }

    /**
     * All messages of a datagram are in the same batch, so a position never lies between them. If this throws, the next cursor
     * reads the datagram again: it counts as read only once it is in the batch.
     */
    private void take(DatagramView datagram, CursorPosition position) {
        DeliveryBatch batch = Objects.requireNonNull(filling);
        record.wrap(datagram, inputs.of(datagram.input()), position.shard(), position.sequence());
        int size = batch.size();
        int bytes = batch.byteCount();
        taken = false;
        try {
            do {
                encode(batch, false);
            } while (record.nextPart());
        } catch (RuntimeException | Error e) {
            batch.removeFrom(size, bytes);
            if (repeats != null) {
                // The datagram is read again, and must not repeat itself.
                repeats.clear();
            }
            throw e;
        }
        // One of several messages is enough.
        batch.datagrams += taken ? 1 : 0;
        batch.filtered += taken ? 0 : 1;
        batch.firstTimeNs = batch.firstTimeNs == 0 ? datagram.receiveTimeNs() : batch.firstTimeNs;
        read(position.shard(), position.sequence() + 1);
    }

    /** True unless the batch is full. */
    boolean hasRoom(DeliveryBatch batch) {
        return batch.size() < maxRecords && batch.byteCount() < maxBytes;
    }

    /**
     * Adds messages of a datagram from their places in the journal, whatever the filter and the sample say.
     *
     * @param parts the messages of one datagram, in their order
     * @param reader for all places of a request, which are in ascending order
     * @return how many of them the journal has, and the input still splits like this
     */
    int add(DeliveryBatch batch, List<Redelivery.Place> parts, PlaceReader reader) throws IOException {
        int before = batch.size();
        Redelivery.Place first = parts.get(0);
        var unused = reader.read(
                first.shard(), first.sequence(), (datagram, position) -> add(batch, parts, datagram, position));
        int added = batch.size() - before;
        batch.datagrams += added;
        return added;
    }

    private void add(
            DeliveryBatch batch, List<Redelivery.Place> parts, DatagramView datagram, CursorPosition position) {
        record.wrap(datagram, inputs.of(datagram.input()), position.shard(), position.sequence());
        do {
            int part = record.isPart() ? record.part() : SinkBatch.NO_PART;
            if (parts.stream().anyMatch(place -> place.part() == part)) {
                encode(batch, true);
            }
        } while (record.nextPart());
    }

    /**
     * Adds the record, or its refusal, unless it is excluded.
     *
     * @param asked true to add it in any case
     */
    private void encode(DeliveryBatch batch, boolean asked) {
        int begin = batch.byteCount();
        try {
            if (asked || isWanted(batch)) {
                begin = batch.byteCount();
                record.takeExpandedOnly();
                JournalRecord edited = editor.edit(record);
                batch.add(edited, sink.encode(edited, batch.buffer()));
                taken = true;
            }
        } catch (RefusedException e) {
            refuse(batch, begin, e.kind(), String.valueOf(e.getMessage()));
        } catch (TooLargeException e) {
            refuse(batch, begin, Refusal.TOO_LONG, String.valueOf(e.getMessage()));
        } catch (RuntimeException | StackOverflowError e) {
            FatalErrors.rethrow(e);
            refuse(batch, begin, Refusal.ENCODING, "it cannot be encoded: " + e.getMessage());
            if (!(e instanceof IllegalArgumentException)) {
                failures.report("Output " + settings.name() + " cannot encode a record and refuses it", e);
            }
        }
    }

    private void refuse(DeliveryBatch batch, int begin, Refusal kind, String reason) {
        batch.buffer().end(begin);
        batch.addRefused(record, kind, reason);
        taken = true;
    }

    private boolean isWanted(DeliveryBatch batch) {
        return (filter == null || filter.matches(record)) && sample.contains(record) && !isRepeat(batch);
    }

    private boolean isRepeat(DeliveryBatch batch) {
        boolean repeat = repeats != null && repeats.add(record);
        addSummaries(batch, record.receiveTimeNs());
        return repeat;
    }

    /** Adds the summaries of repeats that are due. One that cannot be encoded is left out: its messages count as filtered. */
    private void addSummaries(DeliveryBatch batch, long nowNs) {
        if (repeats == null) {
            return;
        }
        for (JournalRecord next = repeats.summary(nowNs); next != null; next = repeats.summary(nowNs)) {
            int begin = batch.byteCount();
            try {
                JournalRecord edited = editor.edit(next);
                batch.addSummary(edited, sink.encode(edited, batch.buffer()));
            } catch (RuntimeException | StackOverflowError e) {
                batch.buffer().end(begin);
                failures.report("Output " + settings.name() + " leaves out a summary of repeated messages", e);
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
