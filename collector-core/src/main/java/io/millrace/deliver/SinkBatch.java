package io.millrace.deliver;

import io.millrace.format.LineBuffer;
import io.millrace.format.LogRecord;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Records on their way to a sink, one after the other in one piece of memory. Filled by the delivery, then the sink's
 * until it says what became of it; used again afterwards.
 */
public final class SinkBatch {
    /** In the place of a part: the record is all of its datagram. */
    public static final int NO_PART = -1;

    /** What has become of a batch. */
    enum State {
        /** Being filled, or being taken account of. */
        HELD,
        /** The sink has it. */
        SENT,
        /** Nothing of it is open. */
        DONE,
        /** To be sent again. */
        FAILED
    }

    private final LineBuffer bytes = new LineBuffer();
    private final Runnable onAnswer;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private int size;
    private int open;
    private int datagrams;
    private int[] ends = new int[256];
    private int[] shards = new int[256];
    private long[] sequences = new long[256];
    private int[] parts = new int[256];
    private long[] timesNs = new long[256];
    private @Nullable Object[] tags = new Object[256];
    private @Nullable String[] refusals = new String[256];
    private @Nullable Refusal[] kinds = new Refusal[256];
    private volatile @Nullable String failure;

    // Of the delivery alone.
    long journalId;
    long[] nextSequences = {};
    long filtered;
    long missing;
    long firstTimeNs;
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

    /** Adds a record, without bytes, that the sink cannot encode. */
    void addRefused(LogRecord record, Refusal kind, String reason) {
        add(record, null);
        close(size - 1, kind, reason);
    }

    /** Adds a record: what was appended to the buffer since the last one. */
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
        ends[size] = bytes.length();
        shards[size] = record.shard();
        sequences[size] = record.sequence();
        parts[size] = record.isPart() ? record.part() : NO_PART;
        timesNs[size] = record.receiveTimeNs();
        tags[size] = tag;
        datagrams += size > 0 && isSameDatagram(size - 1, size) ? 0 : 1;
        size++;
        open++;
    }

    /** Takes back what was added of a datagram. */
    void cutBack(int sizeBefore, int bytesBefore) {
        datagrams -= size > sizeBefore ? 1 : 0;
        while (size > sizeBefore) {
            size--;
            open -= refusals[size] == null ? 1 : 0;
            tags[size] = null;
            refusals[size] = null;
            kinds[size] = null;
        }
        bytes.end(bytesBefore);
    }

    /** True if two records are messages of one datagram, which lie side by side. */
    boolean isSameDatagram(int first, int second) {
        return shards[first] == shards[second] && sequences[first] == sequences[second];
    }

    /** True if there is something to send or to account for: records, or datagrams that were filtered out or are missing. */
    boolean hasContent() {
        return size > 0 || filtered > 0 || missing > 0;
    }

    /** Datagrams the records are from. */
    int datagrams() {
        return datagrams;
    }

    /** The journal the records are in: with shard, sequence and part it names a record for ever. */
    public long journalId() {
        return journalId;
    }

    /** Records, also those that are not open any more. */
    public int size() {
        return size;
    }

    /** Records that are open. */
    public int openCount() {
        return open;
    }

    /** Bytes of all records. */
    public int byteCount() {
        return bytes.length();
    }

    /** The memory the records are in, one after the other from its beginning; not a copy. */
    public byte[] array() {
        return bytes.array();
    }

    /** Where a record begins in {@link #array()}. */
    public int begin(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    /** Where it ends, exclusively. */
    public int end(int index) {
        return ends[index];
    }

    /** The shard the record is in. */
    public int shard(int index) {
        return shards[index];
    }

    /** Its sequence number there. */
    public long sequence(int index) {
        return sequences[index];
    }

    /** Which of several messages of its datagram the record is, from 0; {@link #NO_PART} if it is all of it. */
    public int part(int index) {
        return parts[index];
    }

    /** When it was received, in ns since the epoch. */
    public long receiveTimeNs(int index) {
        return timesNs[index];
    }

    /** What {@link Sink#encode} returned for it. */
    public @Nullable Object tag(int index) {
        return tags[index];
    }

    /** True if the record is still to be sent: it was not {@linkplain #accept accepted} or {@linkplain #refuse refused}. */
    public boolean isOpen(int index) {
        return refusals[index] == null;
    }

    /** The destination has this record, whatever becomes of the others. By the thread that has the batch. */
    public void accept(int index) {
        close(index, null, "");
    }

    /**
     * The destination rejects this record: it becomes a dead letter. By the thread that has the batch.
     *
     * @param reason why, for people
     */
    public void refuse(int index, String reason) {
        refuse(index, Refusal.REJECTED, reason);
    }

    /**
     * The destination will never take this record: it becomes a dead letter. By the thread that has the batch.
     *
     * @param kind what it is counted as
     * @param reason why, for people
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

    /** What the refusal of a record is counted as; null if it was not refused. */
    @Nullable
    Refusal kind(int index) {
        return kinds[index];
    }

    /** Why a record was refused; null if it was not. */
    @Nullable
    String refusal(int index) {
        String reason = refusals[index];
        return reason == null || reason.isEmpty() ? null : reason;
    }

    /** The destination has all that is open. Any thread. */
    public void done() {
        end(State.DONE);
    }

    /**
     * What is open has to be sent again, later. Any thread.
     *
     * @param cause why, for people
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

    /** The sink threw; it may have said before what became of the batch. */
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
