package io.millrace.output.kafka;

import io.millrace.output.internal.secret.Secrets;
import io.millrace.sink.Refusal;
import io.millrace.sink.RefusedException;
import io.millrace.sink.SinkBatch;
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
 * One attempt to send a batch. It collects the producer's callbacks, on the producer's thread, and completes the batch
 * after the last one or at the first failure. Later callbacks are ignored.
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
     * Starts an attempt.
     *
     * @param onFailure called before the batch fails, on the thread of the failure
     * @param isRefused true if this producer never had permission for a topic from messages
     */
    KafkaAttempt(SinkBatch batch, Consumer<SinkBatch> onFailure, Predicate<TopicAuthorizationException> isRefused) {
        this.isRefused = isRefused;
        this.batch = batch;
        this.onFailure = onFailure;
    }

    /**
     * Counts a record that is about to be sent.
     *
     * @param onDelivered called at its acknowledgement, on the producer's thread
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

    /** The reason for rejecting a record; null if the error is the broker's. */
    private @Nullable Refusal kind(Exception error) {
        if (error instanceof RecordTooLargeException) {
            return Refusal.TOO_LONG;
        }
        boolean isName = error instanceof InvalidTopicException
                || (error instanceof TopicAuthorizationException topic && isRefused.test(topic));
        return isName ? Refusal.NAME : error instanceof InvalidRecordException ? Refusal.REJECTED : null;
    }

    /** Discounts a record that is not sent. */
    synchronized void refuse(int index, Refusal kind, String reason) {
        if (ended) {
            return;
        }
        refused.put(index, new RefusedException(kind, reason));
    }

    /** Ends the attempt. Not under the lock: closing the producer waits for its thread, which runs callbacks. */
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

    /** Marks the end of the batch's records. */
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

    /** The redacted message of an exception and its cause: it may become the reason of a dead letter. */
    static String text(Throwable exception) {
        Throwable cause = exception.getCause();
        String text = exception.getMessage() == null ? exception.getClass().getSimpleName() : exception.getMessage();
        return Secrets.known()
                .redact(cause == null || cause.getMessage() == null ? text : text + ": " + cause.getMessage());
    }
}
