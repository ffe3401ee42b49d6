package io.millrace.internal.deliver;

import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.sink.Positions;
import io.millrace.sink.Refusal;
import io.millrace.sink.SinkBatch;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A batch of records, one after the other in one block of memory. The delivery fills it, then it belongs to the sink until the sink
 * has answered; then it is reused.
 */
final class DeliveryBatch implements SinkBatch {
    enum State {
        /** Being filled or settled. */
        HELD,
        /** The sink has it and has not answered. */
        SENT,
        /** The sink has answered for every record. */
        DONE,
        /** To be resent. */
        FAILED
    }

    private final LineBuffer bytes = new LineBuffer();
    private final Runnable onAnswer;
    private final LongSupplier clock;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private int size;
    private int open;
    private int[] ends = new int[256];
    private int[] shards = new int[256];
    private long[] sequences = new long[256];
    private int[] parts = new int[256];
    private long[] timesNs = new long[256];
    private @Nullable Object[] tags = new Object[256];
    private @Nullable String[] refusals = new String[256];
    private @Nullable Refusal[] kinds = new Refusal[256];
    private final BitSet summaries = new BitSet();
    private volatile @Nullable String failure;

    // Used only by the delivery.
    long journalId;
    long[] nextSequences = {};
    /** The number of datagrams that the records are from, without summaries. */
    int datagrams;

    long filtered;
    long missing;
    long firstTimeNs;
    /** When the first record was added; only if there is one. */
    long begunNs;

    long sentNs;
    long attemptNs;

    /**
     * Creates an empty batch.
     *
     * @param onAnswer called when the sink is done with the batch, by the thread on which the sink says so
     * @param clock monotonic, in ns
     */
    DeliveryBatch(Runnable onAnswer, LongSupplier clock) {
        this.clock = clock;
        this.onAnswer = onAnswer;
    }

    void reset() {
        bytes.clear();
        Arrays.fill(tags, 0, size, null);
        Arrays.fill(refusals, 0, size, null);
        Arrays.fill(kinds, 0, size, null);
        summaries.clear();
        size = 0;
        open = 0;
        datagrams = 0;
        filtered = 0;
        missing = 0;
        firstTimeNs = 0;
        failure = null;
        state.set(State.HELD);
    }

    LineBuffer buffer() {
        return bytes;
    }

    /** Adds a record without bytes that the sink cannot encode. */
    void addRefused(LogRecord record, Refusal kind, String reason) {
        add(record, null);
        close(size - 1, kind, reason);
    }

    /** Adds a record: the bytes appended to the buffer since the last one. */
    void add(LogRecord record, @Nullable Object tag) {
        if (size == ends.length) {
            int capacity = 2 * size;
            ends = Arrays.copyOf(ends, capacity);
            shards = Arrays.copyOf(shards, capacity);
            sequences = Arrays.copyOf(sequences, capacity);
            parts = Arrays.copyOf(parts, capacity);
            timesNs = Arrays.copyOf(timesNs, capacity);
            tags = Arrays.copyOf(tags, capacity);
            refusals = Arrays.copyOf(refusals, capacity);
            kinds = Arrays.copyOf(kinds, capacity);
        }
        begunNs = size == 0 ? clock.getAsLong() : begunNs;
        ends[size] = bytes.length();
        shards[size] = record.shard();
        sequences[size] = record.sequence();
        parts[size] = record.isPart() ? record.part() : NO_PART;
        timesNs[size] = record.receiveTimeNs();
        tags[size] = tag;
        size++;
        open++;
    }

    /** Adds a record that stands for datagrams that count as filtered. */
    void addSummary(LogRecord record, @Nullable Object tag) {
        add(record, tag);
        summaries.set(size - 1);
    }

    /** True if the record stands for datagrams that count as filtered. */
    boolean isSummary(int index) {
        return summaries.get(index);
    }

    /** Removes the records of a datagram that was added in part. */
    void removeFrom(int sizeBefore, int bytesBefore) {
        while (size > sizeBefore) {
            size--;
            open -= refusals[size] == null ? 1 : 0;
            tags[size] = null;
            refusals[size] = null;
            kinds[size] = null;
            summaries.clear(size);
        }
        bytes.end(bytesBefore);
    }

    /** True if two adjacent records are messages of the same datagram. */
    boolean isSameDatagram(int first, int second) {
        return shards[first] == shards[second] && sequences[first] == sequences[second];
    }

    /** True if there is something to send or to account for: records, or datagrams that were filtered out or are missing. */
    boolean hasContent() {
        return size > 0 || filtered > 0 || missing > 0;
    }

    @Override
    public long journalId() {
        return journalId;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int openCount() {
        return open;
    }

    @Override
    public int byteCount() {
        return bytes.length();
    }

    @Override
    public byte[] array() {
        return bytes.array();
    }

    @Override
    public int begin(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    @Override
    public int end(int index) {
        return ends[index];
    }

    @Override
    public int shard(int index) {
        return shards[index];
    }

    @Override
    public long sequence(int index) {
        return sequences[index];
    }

    @Override
    public int part(int index) {
        return parts[index];
    }

    @Override
    public long receiveTimeNs(int index) {
        return timesNs[index];
    }

    @Override
    public @Nullable Object tag(int index) {
        return tags[index];
    }

    @Override
    public boolean isOpen(int index) {
        return refusals[index] == null;
    }

    @Override
    public void accept(int index) {
        close(index, null, "");
    }

    @Override
    public void refuse(int index, Refusal kind, String reason) {
        close(index, kind, reason);
    }

    private void close(int index, @Nullable Refusal kind, String reason) {
        if (refusals[index] == null) {
            refusals[index] = kind != null && reason.isEmpty() ? "no reason given" : reason;
            kinds[index] = kind;
            open--;
        }
    }

    /** The positions of its sink after this batch, of which so many datagrams were refused. */
    Positions after(Positions before, int refused) {
        Positions.Counts counts = before.counts();
        return new Positions(
                before.journalId(),
                nextSequences,
                new Positions.Counts(
                        counts.acked() + datagrams - refused,
                        counts.filtered() + filtered,
                        counts.deadLettered() + refused,
                        counts.missing() + missing),
                before.range());
    }

    /** The kind of a record's refusal; null if it was not refused. */
    @Nullable
    Refusal kind(int index) {
        return kinds[index];
    }

    /** The reason of a record's refusal; null if it was not refused. */
    @Nullable
    String refusal(int index) {
        String reason = refusals[index];
        return reason == null || reason.isEmpty() ? null : reason;
    }

    @Override
    public void done() {
        end(State.DONE);
    }

    @Override
    public void failed(String cause) {
        failure = cause;
        end(State.FAILED);
    }

    private void end(State how) {
        if (!state.compareAndSet(State.SENT, how)) {
            throw new IllegalStateException("the batch is " + state.get() + ", and cannot be " + how);
        }
        onAnswer.run();
    }

    /** The sink has thrown an exception; it may have answered before. */
    void failedUnlessEnded(String cause) {
        failure = cause;
        state.compareAndSet(State.SENT, State.FAILED);
    }

    void sent() {
        state.set(State.SENT);
    }

    State state() {
        return Objects.requireNonNull(state.get());
    }

    @Nullable
    String failure() {
        return failure;
    }
}
