package io.millrace.internal.deliver;

import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.sink.Refusal;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import org.jspecify.annotations.Nullable;

/** A batch that a test fills, without a delivery. */
public final class TestBatch {
    /** How a sink encodes a record. */
    public interface Encoder {
        /** As {@link Sink#encode}. */
        @Nullable
        Object encode(LogRecord record, LineBuffer out);
    }

    private final DeliveryBatch batch = new DeliveryBatch(() -> {}, System::nanoTime);

    /** Creates an empty batch. */
    public TestBatch() {}

    /** Removes all records. */
    public void clear() {
        batch.reset();
    }

    /** Adds a record; false if it is rejected. */
    public boolean add(LogRecord record, Encoder encoder) {
        int begin = batch.byteCount();
        try {
            batch.add(record, encoder.encode(record, batch.buffer()));
            return true;
        } catch (IllegalArgumentException e) {
            batch.buffer().end(begin);
            batch.addRefused(record, Refusal.ENCODING, String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** The batch as a sink gets it. */
    public SinkBatch batch() {
        return batch;
    }
}
