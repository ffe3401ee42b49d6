package io.millrace.output.internal.http;

import io.millrace.sink.SinkBatch;
import java.io.Closeable;
import java.io.IOException;

/**
 * Receipts of a destination that first takes a request, and says later that it has stored it. Batches wait for theirs while others are sent. The
 * thread of the sink calls all methods but {@link #refresh}; receipts may arrive on a thread of their own, which then ends the batch.
 */
public interface HttpReceipts extends Closeable {
    /** How many batches may wait. */
    int maxWaiting();

    /**
     * The requests from now on are those of one batch. If the batch before was not passed to {@link #await}, its attempt has failed.
     *
     * @throws IOException if the destination gives no receipts now
     */
    void begin() throws IOException, InterruptedException;

    /**
     * All requests of the batch are taken: it is done when all are stored, and has failed if they are not in time. Does not wait. The batch must
     * not be touched afterwards.
     */
    void await(SinkBatch batch);

    /** Looks up the destination again before the next request. Any thread. */
    void refresh();

    /** Forgets what waits; those batches are sent again after the next start. */
    @Override
    void close();
}
