package io.millrace.app.sink;

import io.millrace.deliver.SinkBatch;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to send a batch: gathers what the producer says of each record, on the producer's thread, and tells the batch
 * when all was said.
 */
final class KafkaAttempt {
    private final SinkBatch batch;
    private final BitSet delivered = new BitSet();
    private final Map<Integer, String> refused = new HashMap<>();
    private int waiting = 1;
    private @Nullable String failure;

    KafkaAttempt(SinkBatch batch) {
        this.batch = batch;
    }

    /** A record is about to be sent. */
    synchronized Callback begin(int index) {
        waiting++;
        return (metadata, exception) -> end(index, exception);
    }

    private synchronized void end(int index, @Nullable Exception exception) {
        if (exception == null) {
            delivered.set(index);
        } else if (exception instanceof RecordTooLargeException
                || exception instanceof RecordBatchTooLargeException
                || exception instanceof InvalidTopicException) {
            refused.put(index, text(exception));
        } else if (failure == null) {
            failure = text(exception);
        }
        countDown();
    }

    /** It cannot go on. */
    synchronized void fail(String cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    synchronized boolean hasFailed() {
        return failure != null;
    }

    /** No more records of the batch will be sent. */
    synchronized void endOfBatch() {
        countDown();
    }

    private void countDown() {
        waiting--;
        if (waiting > 0) {
            return;
        }
        refused.forEach(batch::refuse);
        if (failure == null) {
            batch.done();
        } else {
            delivered.stream().forEach(batch::accept);
            batch.failed(failure);
        }
    }

    /** What an exception says, and what is behind it. */
    static String text(Throwable exception) {
        Throwable cause = exception.getCause();
        String text = exception.getMessage() == null ? exception.getClass().getSimpleName() : exception.getMessage();
        return cause == null || cause.getMessage() == null ? text : text + ": " + cause.getMessage();
    }
}
