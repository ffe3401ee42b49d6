package io.millrace.sink;

import io.millrace.internal.deliver.Delivery;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A destination of records. Only the thread of its {@link Delivery} calls its methods; acknowledgements may come from any
 * thread.
 *
 * <p><b>Two kinds of errors.</b> An error of the destination fails the batch ({@link SinkBatch#failed}, or an exception of {@link
 * #send}): it is resent until the destination accepts it. An error of one record refuses that record ({@link SinkBatch#refuse}, or an
 * exception of {@link #encode}): it becomes a dead letter, and the output continues. A sink must distinguish them, because anybody can send a record:
 * if it were treated as an error of the destination, it would stop the output.
 */
public interface Sink extends AutoCloseable {
    /**
     * A sink that calls a handler for each record, in the order of each shard. Records count as acknowledged after it has returned;
     * some are handled again after a crash, or after it has thrown an exception.
     *
     * @param handler called by one thread, with a record that is valid during the call. An {@link UncheckedIOException} says that it
     *     cannot work for now: the sink waits, and the records since the last batch are handled again. Any other exception makes the
     *     record a dead letter
     */
    static Sink forEach(Consumer<LogRecord> handler) {
        return new Sink() {
            @Override
            public @Nullable Object encode(LogRecord record, LineBuffer out) {
                try {
                    handler.accept(record);
                    return null;
                } catch (UncheckedIOException e) {
                    throw e;
                } catch (RuntimeException e) {
                    throw new IllegalArgumentException("the handler failed: " + e, e);
                }
            }

            @Override
            public void send(SinkBatch batch) {
                batch.done();
            }
        };
    }

    /** Called once, before anything else, when the delivery starts. It is not called for a sink that is never used. */
    default void begin() {}

    /**
     * Appends a record in the form of the destination. The appended bytes must be complete: only {@link SinkBatch#end} tells
     * where a record in a batch ends.
     *
     * @param record valid during the call
     * @return additional information for {@link #send}, such as the record's file or topic: see {@link SinkBatch#tag}
     * @throws IllegalArgumentException if the destination can never accept this record; the message says why. A {@link
     *     RefusedException} also has the kind for the counters
     */
    @Nullable
    Object encode(LogRecord record, LineBuffer out);

    /**
     * Sends the {@linkplain SinkBatch#isOpen open} records of a batch, all of them the first time. Then calls {@link
     * SinkBatch#done} or {@link SinkBatch#failed} exactly once, during the call or later, from any thread; afterwards it
     * must not touch the batch.
     *
     * @throws IOException if that failed for now: as {@link SinkBatch#failed}
     * @throws InterruptedException if the collector stops and ends the delivery
     */
    void send(SinkBatch batch) throws IOException, InterruptedException;

    /**
     * How many batches the sink accepts before it has answered for the first. With more than one, a batch may overtake one that has
     * to be resent, unless the sink itself keeps the order.
     */
    default int maxInFlight() {
        return 1;
    }

    /** How many records were changed since the sink was created so that the destination accepts them. Any thread. */
    default long adjusted(Adjustment how) {
        return 0;
    }

    /** How many old files were deleted since the sink was created, by a setting that says so. Any thread. */
    default long filesDeleted() {
        return 0;
    }

    /** Looks up the destination again before the next batch, if it has a name: it may have moved. Any thread. */
    default void refresh() {}

    /** Closes connections and files within a bounded time. Unacknowledged records are sent after the next start. */
    @Override
    default void close() throws IOException {}
}
