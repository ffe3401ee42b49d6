package io.millrace.internal.deliver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The batches that a sink has, in the order in which they were filled, and those that wait to be filled. One thread. */
final class InFlight implements Iterable<SinkBatch> {
    private final Deque<SinkBatch> sent = new ArrayDeque<>();
    private final Deque<SinkBatch> free = new ArrayDeque<>();
    private final Runnable onAnswer;
    private int created;

    /**
     * Creates an empty queue.
     *
     * @param onAnswer called when a sink is done with a batch, by the thread on which the sink says so
     */
    InFlight(Runnable onAnswer) {
        this.onAnswer = onAnswer;
    }

    /** A batch to fill; null if as many are in use as there may be. */
    @Nullable
    SinkBatch take(int maxInFlight) {
        SinkBatch batch = free.poll();
        if (batch == null && created <= maxInFlight) {
            created++;
            batch = new SinkBatch(onAnswer);
        }
        return batch;
    }

    /** Takes back a batch that is not sent. */
    void putBack(SinkBatch batch) {
        batch.reset();
        free.add(batch);
    }

    void add(SinkBatch batch) {
        sent.add(batch);
    }

    /** The oldest batch; null if the sink has none. */
    @Nullable
    SinkBatch oldest() {
        return sent.peek();
    }

    /** The oldest batch, if the sink is done with it; null otherwise. */
    @Nullable
    SinkBatch oldestDone() {
        SinkBatch oldest = sent.peek();
        return oldest != null && oldest.state() == SinkBatch.State.DONE ? oldest : null;
    }

    /** Removes the oldest batch, which can be filled again. */
    void release(SinkBatch oldest) {
        sent.remove();
        putBack(oldest);
    }

    /** True if a batch has to be sent again: nothing new may overtake it. */
    boolean hasFailed() {
        return firstFailed() != null;
    }

    /** The oldest batch that has to be sent again; null if there is none. */
    @Nullable
    SinkBatch firstFailed() {
        for (SinkBatch batch : sent) {
            if (batch.state() == SinkBatch.State.FAILED) {
                return batch;
            }
        }
        return null;
    }

    /** True if the sink has not answered for some batch. */
    boolean isAwaitingAnswer() {
        for (SinkBatch batch : sent) {
            if (batch.state() == SinkBatch.State.SENT) {
                return true;
            }
        }
        return false;
    }

    int size() {
        return sent.size();
    }

    boolean isEmpty() {
        return sent.isEmpty();
    }

    @Override
    public Iterator<SinkBatch> iterator() {
        return sent.iterator();
    }
}
