package io.millrace.deliver;

import io.millrace.format.LineBuffer;
import io.millrace.format.LogRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A destination of records. All its methods are called by the one thread of its {@link Delivery}; acknowledgements may
 * come from any thread.
 *
 * <p><b>Two kinds of errors.</b> An error of the destination fails the batch ({@link SinkBatch#failed}, or an exception of {@link
 * #send}): it is sent again until the destination takes it. An error of one record refuses that record ({@link SinkBatch#refuse}, or an
 * exception of {@link #encode}): it becomes a dead letter, and the output goes on. A sink must tell them apart, because anybody can send a
 * record: one that is taken for an error of the destination stops the output.
 */
public interface Sink extends AutoCloseable {
    /** The delivery begins: called once before anything else. A sink that was made and never used was never told. */
    default void begin() {}

    /**
     * Appends a record in the form the destination wants it. What is appended must be whole: there is no telling where a
     * record in a batch ends but by {@link SinkBatch#end}.
     *
     * @param record valid during the call
     * @return what {@link #send} wants to know of the record besides its bytes, such as its file or its topic: see
     *     {@link SinkBatch#tag}
     * @throws IllegalArgumentException if the destination can never take this record; the message says why. A {@link
     *     RefusedException} also says what it is counted as
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

    /** How many records were changed since the sink was made, so that the destination takes them. Any thread. */
    default long adjusted(Adjustment how) {
        return 0;
    }

    /** Gives up what the sink holds open, in a bounded time. What was not acknowledged by now is sent after the next start. */
    @Override
    default void close() throws IOException {}
}
