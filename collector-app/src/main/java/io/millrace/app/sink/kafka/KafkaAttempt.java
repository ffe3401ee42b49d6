package io.millrace.app.sink.kafka;

import io.millrace.app.secret.Secrets;
import io.millrace.deliver.Refusal;
import io.millrace.deliver.RefusedException;
import io.millrace.deliver.SinkBatch;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to send a batch: gathers what the producer says of each record, on the producer's thread, and tells the batch
 * when all was said, or at the first failure. What is said after that is passed over.
 */
final class KafkaAttempt {
    private final SinkBatch batch;
    private final Consumer<SinkBatch> onFailure;
    private final Predicate<TopicAuthorizationException> isRefused;
    private final BitSet delivered = new BitSet();
    private final Map<Integer, RefusedException> refused = new HashMap<>();
    private int waiting = 1;
    private boolean ended;

    /**
     * Begins one.
     *
     * @param onFailure called before the batch is told of a failure, on the thread that met it
     * @param isRefused true if this producer may not write to topics that messages named, and never could
     */
    KafkaAttempt(SinkBatch batch, Consumer<SinkBatch> onFailure, Predicate<TopicAuthorizationException> isRefused) {
        this.isRefused = isRefused;
        this.batch = batch;
        this.onFailure = onFailure;
    }

    /**
     * A record is about to be sent.
     *
     * @param onDelivered called when it is acknowledged, on the producer's thread
     */
    synchronized Callback begin(int index, Runnable onDelivered) {
        waiting++;
        return (metadata, exception) -> end(index, onDelivered, exception);
    }

    private void end(int index, Runnable onDelivered, @Nullable Exception exception) {
        boolean fails = false;
        synchronized (this) {
            if (ended) {
                return;
            }
            if (exception == null) {
                delivered.set(index);
                onDelivered.run();
            } else {
                Refusal kind = kind(exception);
                fails = kind == null;
                if (kind != null) {
                    refused.put(index, new RefusedException(kind, text(exception)));
                }
            }
        }
        if (fails && exception != null) {
            fail(text(exception));
        } else {
            countDown();
        }
    }

    /** What an error of one record is counted as; null if it is one of the broker. */
    private @Nullable Refusal kind(Exception error) {
        if (error instanceof RecordTooLargeException) {
            return Refusal.TOO_LONG;
        }
        boolean isName = error instanceof InvalidTopicException
                || (error instanceof TopicAuthorizationException topic && isRefused.test(topic));
        return isName ? Refusal.NAME : error instanceof InvalidRecordException ? Refusal.REJECTED : null;
    }

    /** A record is not sent. */
    synchronized void refuse(int index, Refusal kind, String reason) {
        if (ended) {
            return;
        }
        refused.put(index, new RefusedException(kind, reason));
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
        settleRefused();
        delivered.stream().forEach(batch::accept);
        batch.failed(cause);
    }

    private void settleRefused() {
        refused.forEach((index, why) -> batch.refuse(index, why.kind(), String.valueOf(why.getMessage())));
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
            settleRefused();
            batch.done();
        }
    }

    /** What an exception says, and what is behind it, without secrets: it may become the reason of a dead letter. */
    static String text(Throwable exception) {
        Throwable cause = exception.getCause();
        String text = exception.getMessage() == null ? exception.getClass().getSimpleName() : exception.getMessage();
        return Secrets.known()
                .redact(cause == null || cause.getMessage() == null ? text : text + ": " + cause.getMessage());
    }
}
