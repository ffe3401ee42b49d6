package io.millrace.deliver;

import io.millrace.format.LineBuffer;
import io.millrace.format.LogRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A destination of records. All its methods are called by the one thread of its {@link Delivery}; acknowledgements may
 * come from any thread.
 *
 * <p>A sink that cannot go on for now says so ({@link SinkBatch#failed}, or an exception) and is asked again, after a
 * while and for ever: nothing is left out because a destination is down. What a destination will never take is
 * {@linkplain SinkBatch#refuse refused}, record by record.
 */
public interface Sink extends AutoCloseable {
    /**
     * Appends a record in the form the destination wants it. What is appended must be whole: there is no telling where a
     * record in a batch ends but by {@link SinkBatch#end}.
     *
     * @param record valid during the call
     * @return what {@link #send} wants to know of the record besides its bytes, such as its file or its topic: see
     *     {@link SinkBatch#tag}
     * @throws IllegalArgumentException if the destination can never take this record; the message says why
     */
    @Nullable
    Object encode(LogRecord record, LineBuffer out);

    /**
     * Sends the {@linkplain SinkBatch#isOpen open} records of a batch, all of them the first time. Then calls {@link
     * SinkBatch#done} or {@link SinkBatch#failed} exactly once, during the call or later, from any thread; afterwards it
     * must not touch the batch.
     *
     * @throws IOException if that failed for now: as {@link SinkBatch#failed}
     * @throws InterruptedException if the delivery is given up because the collector stops
     */
    void send(SinkBatch batch) throws IOException, InterruptedException;

    /**
     * How many batches may be on their way at once. With more than one, a batch may overtake one that has to be sent
     * again, unless the sink itself keeps the order.
     */
    default int maxInFlight() {
        return 1;
    }

    /** Gives up what the sink holds open, in a bounded time. What was not acknowledged by now is sent after the next start. */
    @Override
    default void close() throws IOException {}
}
