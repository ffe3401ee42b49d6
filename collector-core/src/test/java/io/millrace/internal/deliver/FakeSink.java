package io.millrace.internal.deliver;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A sink that a test controls. */
final class FakeSink implements Sink {
    /** The sink's answer to a batch. */
    interface Answer {
        void to(DeliveryBatch batch) throws IOException, InterruptedException;
    }

    final List<String> received = new ArrayList<>();
    final List<DeliveryBatch> held = new ArrayList<>();
    int maxInFlight = 1;
    int sends;
    int encoded;
    boolean closed;
    Consumer<String> onEncode = text -> {};
    Answer answer = this::take;

    /** Accepts all open records. */
    void take(DeliveryBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isOpen(i)) {
                received.add(text(batch, i));
            }
        }
        batch.done();
    }

    /** Keeps the batch, so that a test can answer later. */
    void hold(DeliveryBatch batch) {
        held.add(batch);
    }

    static String text(DeliveryBatch batch, int index) {
        return new String(batch.array(), batch.begin(index), batch.end(index) - batch.begin(index), UTF_8);
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer out) {
        out.append(record.bytes(), record.begin(), record.end());
        String text = new String(record.bytes(), record.begin(), record.end() - record.begin(), UTF_8);
        onEncode.accept(text);
        if (text.contains("huge")) {
            throw new IllegalArgumentException("too long");
        }
        return null;
    }

    @Override
    public void send(SinkBatch batch) throws IOException, InterruptedException {
        sends++;
        answer.to((DeliveryBatch) batch);
    }

    @Override
    public int maxInFlight() {
        return maxInFlight;
    }

    @Override
    public void close() {
        closed = true;
    }
}
