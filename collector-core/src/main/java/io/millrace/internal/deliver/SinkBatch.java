package io.millrace.internal.deliver;

import io.millrace.internal.format.LineBuffer;
import io.millrace.internal.format.LogRecord;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A batch of records, one after the other in one block of memory. The delivery fills it, then it belongs to the sink until the sink
 * has answered; then it is reused.
 */
public final class SinkBatch {
    /** The part of a record that is the whole datagram. */
    public static final int NO_PART = -1;

    /** The state of a batch. */
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
     */
    SinkBatch(Runnable onAnswer) {
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
        begunNs = size == 0 ? System.nanoTime() : begunNs;
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

    /** The journal id: with shard, sequence and part it identifies a record. */
    public long journalId() {
        return journalId;
    }

    /** The number of records, open or not. */
    public int size() {
        return size;
    }

    /** The number of open records. */
    public int openCount() {
        return open;
    }

    /** The bytes of all records. */
    public int byteCount() {
        return bytes.length();
    }

    /** The memory with the records, one after the other from the beginning; not a copy. */
    public byte[] array() {
        return bytes.array();
    }

    /** The offset of a record in {@link #array()}. */
    public int begin(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    /** The offset after the record. */
    public int end(int index) {
        return ends[index];
    }

    /** The shard of a record. */
    public int shard(int index) {
        return shards[index];
    }

    /** The sequence number of a record in its shard. */
    public long sequence(int index) {
        return sequences[index];
    }

    /** The number of the record among the messages of its datagram, from 0; {@link #NO_PART} if it is the whole datagram. */
    public int part(int index) {
        return parts[index];
    }

    /** The receive time in ns since the epoch. */
    public long receiveTimeNs(int index) {
        return timesNs[index];
    }

    /** The value that {@link Sink#encode} returned for the record. */
    public @Nullable Object tag(int index) {
        return tags[index];
    }

    /** True if the record is neither {@linkplain #accept accepted} nor {@linkplain #refuse refused}. */
    public boolean isOpen(int index) {
        return refusals[index] == null;
    }

    /** The destination has accepted this record. Called by the thread that has the batch. */
    public void accept(int index) {
        close(index, null, "");
    }

    /**
     * The destination rejects this record, which becomes a dead letter. Called by the thread that has the batch.
     *
     * @param reason the reason, for people
     */
    public void refuse(int index, String reason) {
        refuse(index, Refusal.REJECTED, reason);
    }

    /**
     * The destination will never accept this record, which becomes a dead letter. Called by the thread that has the batch.
     *
     * @param kind the kind in the counters
     * @param reason the reason, for people
     */
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

    /** The destination has accepted all open records. Any thread. */
    public void done() {
        end(State.DONE);
    }

    /**
     * The open records have to be resent later. Any thread.
     *
     * @param cause the cause, for people
     */
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
