package io.millrace.internal.deliver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The batches that a sink has, in the order in which they were filled, and those that wait to be filled. One thread. */
final class InFlight implements Iterable<DeliveryBatch> {
    private final Deque<DeliveryBatch> sent = new ArrayDeque<>();
    private final Deque<DeliveryBatch> free = new ArrayDeque<>();
    private final Runnable onAnswer;
    private final LongSupplier clock;
    private int created;

    /**
     * Creates an empty queue.
     *
     * @param onAnswer called when a sink is done with a batch, by the thread on which the sink says so
     * @param clock monotonic, in ns
     */
    InFlight(Runnable onAnswer, LongSupplier clock) {
        this.clock = clock;
        this.onAnswer = onAnswer;
    }

    /** A batch to fill; null if as many are in use as there may be. */
    @Nullable
    DeliveryBatch take(int maxInFlight) {
        DeliveryBatch batch = free.poll();
        if (batch == null && created <= maxInFlight) {
            created++;
            batch = new DeliveryBatch(onAnswer, clock);
        }
        return batch;
    }

    /** Takes back a batch that is not sent. */
    void putBack(DeliveryBatch batch) {
        batch.reset();
        free.add(batch);
    }

    void add(DeliveryBatch batch) {
        sent.add(batch);
    }

    /** The oldest batch; null if the sink has none. */
    @Nullable
    DeliveryBatch oldest() {
        return sent.peek();
    }

    /** The oldest batch, if the sink is done with it; null otherwise. */
    @Nullable
    DeliveryBatch oldestDone() {
        DeliveryBatch oldest = sent.peek();
        return oldest != null && oldest.state() == DeliveryBatch.State.DONE ? oldest : null;
    }

    /** Removes the oldest batch, which can be filled again. */
    void release(DeliveryBatch oldest) {
        sent.remove();
        putBack(oldest);
    }

    /** True if a batch has to be sent again: nothing new may overtake it. */
    boolean hasFailed() {
        return firstFailed() != null;
    }

    /** The oldest batch that has to be sent again; null if there is none. */
    @Nullable
    DeliveryBatch firstFailed() {
        for (DeliveryBatch batch : sent) {
            if (batch.state() == DeliveryBatch.State.FAILED) {
                return batch;
            }
        }
        return null;
    }

    /** True if the sink has not answered for some batch. */
    boolean isAwaitingAnswer() {
        for (DeliveryBatch batch : sent) {
            if (batch.state() == DeliveryBatch.State.SENT) {
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
    public Iterator<DeliveryBatch> iterator() {
        return sent.iterator();
    }
}
