package io.millrace.output.file;

import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The sink that writes to a stream. Records are acknowledged when they are written. */
final class StdoutSink implements Sink {
    private final LineFormat format;
    private final OutputStream out;
    private boolean failed;

    StdoutSink(LineFormat format, OutputStream out) {
        this.format = format;
        this.out = out;
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer buffer) {
        format.write(record, buffer);
        return null;
    }

    @Override
    public void send(SinkBatch batch) throws IOException {
        try {
            if (failed) {
                // A failed write may have left an incomplete line, and the batch is written again.
                out.write('\n');
                failed = false;
            }
            out.write(batch.array(), 0, batch.byteCount());
        } catch (IOException e) {
            failed = true;
            throw e;
        }
        out.flush();
        batch.done();
    }
}
