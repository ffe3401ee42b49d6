package io.millrace.example;

import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** An output that prints each record as it was sent, on a line of its own. */
final class Printer implements Sink {
    private final PrintStream out;

    Printer(PrintStream out) {
        this.out = out;
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer bytes) {
        bytes.append(record.bytes(), record.begin(), record.end());
        return null;
    }

    @Override
    public void send(SinkBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isOpen(i)) {
                out.write(batch.array(), batch.begin(i), batch.end(i) - batch.begin(i));
                out.println();
            }
        }
        // Printing succeeds at once. A sink on a network calls done() or failed(cause) when the server has answered.
        batch.done();
    }
}
