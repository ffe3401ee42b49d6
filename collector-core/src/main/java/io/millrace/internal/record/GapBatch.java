package io.millrace.internal.record;

import io.millrace.journal.GapReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Creates gap batches. A gap batch replaces missing datagrams, so that readers and checks know the sequence gap and its size. */
public final class GapBatch {
    private GapBatch() {}

    /**
     * Creates a gap batch.
     *
     * @param shard the shard
     * @param journalId the journal's random id
     * @param firstSequence the first missing sequence number
     * @param count the number of missing datagrams, at least 1
     * @param reason why they are missing
     * @param beforeNs receive time of the last datagram before the gap, in ns since the epoch; 0 if there is none
     * @param afterNs receive time of the first datagram after the gap; {@code beforeNs} if there is none
     * @return direct memory that holds only the batch
     */
    public static ByteBuffer of(
            int shard, long journalId, long firstSequence, long count, GapReason reason, long beforeNs, long afterNs) {
        if (count < 1 || firstSequence < 0) {
            throw new IllegalArgumentException(
                    "a gap has a count from 1 and a first number from 0, not " + count + " and " + firstSequence);
        }
        int length = BatchLayout.HEADER_BYTES + BatchLayout.GAP_BODY_BYTES;
        ByteBuffer batch = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
        batch.putInt(BatchLayout.MAGIC, BatchLayout.MAGIC_VALUE);
        batch.put(BatchLayout.VERSION, (byte) BatchLayout.VERSION_VALUE);
        batch.put(BatchLayout.HEADER_LENGTH, (byte) BatchLayout.HEADER_BYTES);
        batch.putShort(BatchLayout.SHARD, (short) shard);
        batch.putInt(BatchLayout.BODY_LENGTH, BatchLayout.GAP_BODY_BYTES);
        batch.putInt(BatchLayout.FLAGS, BatchLayout.BATCH_FLAG_GAP);
        batch.putLong(BatchLayout.JOURNAL_ID, journalId);
        batch.putLong(BatchLayout.FIRST_SEQUENCE, firstSequence + count);
        batch.putLong(BatchLayout.BASE_TIME, beforeNs);
        batch.putLong(BatchLayout.MIN_TIME, Math.min(beforeNs, afterNs));
        batch.putLong(BatchLayout.MAX_TIME, Math.max(beforeNs, afterNs));
        batch.putLong(BatchLayout.GAP_FIRST, firstSequence);
        batch.putInt(BatchLayout.GAP_REASON, reason.number());
        CRC32C crc = new CRC32C();
        crc.update(batch.duplicate().position(BatchLayout.MAGIC));
        batch.putInt(BatchLayout.CRC, (int) crc.getValue());
        return batch;
    }
}
