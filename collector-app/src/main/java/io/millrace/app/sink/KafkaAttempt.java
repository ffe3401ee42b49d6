package io.millrace.app.sink;

import io.millrace.deliver.SinkBatch;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to send a batch: gathers what the producer says of each record, on the producer's thread, and tells the batch
 * when all was said, or at the first failure. What is said after that is passed over.
 */
final class KafkaAttempt {
    private final SinkBatch batch;
    private final Consumer<SinkBatch> onFailure;
    private final BitSet delivered = new BitSet();
    private final Map<Integer, String> refused = new HashMap<>();
    private int waiting = 1;
    private boolean ended;

    /**
     * Begins one.
     *
     * @param onFailure called before the batch is told of a failure, on the thread that met it
     */
    KafkaAttempt(SinkBatch batch, Consumer<SinkBatch> onFailure) {
        this.batch = batch;
        this.onFailure = onFailure;
    }

    /** A record is about to be sent. */
    synchronized Callback begin(int index) {
        waiting++;
        return (metadata, exception) -> end(index, exception);
    }

    private void end(int index, @Nullable Exception exception) {
        boolean fails = false;
        synchronized (this) {
            if (ended) {
                return;
            }
            if (exception == null) {
                delivered.set(index);
            } else if (exception instanceof RecordTooLargeException || exception instanceof InvalidTopicException) {
                refused.put(index, text(exception));
            } else {
                fails = true;
            }
        }
        if (fails && exception != null) {
            fail(text(exception));
        } else {
            countDown();
        }
    }

    /** It cannot go on. Not under the lock: closing the producer waits for its thread, which has more to say. */
    void fail(String cause) {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        onFailure.accept(batch);
        refused.forEach(batch::refuse);
        delivered.stream().forEach(batch::accept);
        batch.failed(cause);
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    /** No more records of the batch will be sent. */
    void endOfBatch() {
        countDown();
    }

    private synchronized void countDown() {
        waiting--;
        if (waiting == 0 && !ended) {
            ended = true;
            refused.forEach(batch::refuse);
            batch.done();
        }
    }

    /** What an exception says, and what is behind it. */
    static String text(Throwable exception) {
        Throwable cause = exception.getCause();
        String text = exception.getMessage() == null ? exception.getClass().getSimpleName() : exception.getMessage();
        return cause == null || cause.getMessage() == null ? text : text + ": " + cause.getMessage();
    }
}
