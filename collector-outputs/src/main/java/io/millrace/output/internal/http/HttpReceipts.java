package io.millrace.output.internal.http;

import io.millrace.sink.SinkBatch;
import java.io.Closeable;

/**
 * Receipts of a destination that first takes a request, and says later that it has stored it. Batches wait for theirs while others are sent. The
 * thread of the sink calls all methods.
 */
public interface HttpReceipts extends Closeable {
    /** How many batches may wait. */
    int maxWaiting();

    /** The requests from now on are those of one batch. */
    void begin();

    /**
     * All requests of the batch are taken: it is done when all are stored, and has failed if they are not in time. Does not wait.
     */
    void await(SinkBatch batch);

    /** Forgets what waits; those batches are sent again after the next start. */
    @Override
    void close();
}
