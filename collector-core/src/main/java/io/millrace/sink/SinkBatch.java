package io.millrace.sink;

import org.jspecify.annotations.Nullable;

/**
 * A batch of records, one after the other in one block of memory. It belongs to the sink from {@link Sink#send} until the sink
 * has answered; then it is reused. Not to be implemented by programs.
 */
public interface SinkBatch {
    /** The part of a record that is the whole datagram. */
    int NO_PART = -1;

    /** The journal id: with shard, sequence and part it identifies a record. */
    long journalId();

    /** The number of records, open or not. */
    int size();

    /** The number of open records. */
    int openCount();

    /** The bytes of all records. */
    int byteCount();

    /** The memory with the records, one after the other from the beginning; not a copy. */
    byte[] array();

    /** The offset of a record in {@link #array()}. */
    int begin(int index);

    /** The offset after the record. */
    int end(int index);

    /** The shard of a record. */
    int shard(int index);

    /** The sequence number of a record in its shard. */
    long sequence(int index);

    /** The number of the record among the messages of its datagram, from 0; {@link #NO_PART} if it is the whole datagram. */
    int part(int index);

    /** The receive time in ns since the epoch. */
    long receiveTimeNs(int index);

    /** The value that {@link Sink#encode} returned for the record. */
    @Nullable
    Object tag(int index);

    /** True if the record is neither {@linkplain #accept accepted} nor {@linkplain #refuse refused}. */
    boolean isOpen(int index);

    /** The destination has accepted this record. Called by the thread that has the batch. */
    void accept(int index);

    /**
     * The destination rejects this record, which becomes a dead letter. Called by the thread that has the batch.
     *
     * @param reason the reason, for people
     */
    default void refuse(int index, String reason) {
        refuse(index, Refusal.REJECTED, reason);
    }

    /**
     * The destination will never accept this record, which becomes a dead letter. Called by the thread that has the batch.
     *
     * @param kind the kind in the counters
     * @param reason the reason, for people
     */
    void refuse(int index, Refusal kind, String reason);

    /** The destination has accepted all open records. Any thread. */
    void done();

    /**
     * The open records have to be resent later. Any thread.
     *
     * @param cause the cause, for people
     */
    void failed(String cause);
}
