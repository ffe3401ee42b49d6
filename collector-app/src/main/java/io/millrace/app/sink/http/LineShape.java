package io.millrace.app.sink.http;

import io.millrace.deliver.SinkBatch;
import io.millrace.format.LineBuffer;
import io.millrace.format.LineFormat;
import io.millrace.format.LogRecord;
import org.jspecify.annotations.Nullable;

/** A line a record, and an answer that is for all of them. */
final class LineShape implements RequestShape {
    private final LineFormat format;

    LineShape(LineFormat format) {
        this.format = format;
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer out) {
        line(format, record, out);
        return null;
    }

    /** Appends a line, and sees to it that it is one. */
    static void line(LineFormat format, LogRecord record, LineBuffer out) {
        int begin = out.length();
        format.write(record, out);
        byte[] b = out.array();
        for (int i = begin; i < out.length() - 1; i++) {
            if (b[i] == '\n') {
                throw new IllegalArgumentException("it is more than one line in this format");
            }
        }
    }

    @Override
    public void write(SinkBatch batch, int[] records, LineBuffer body) {
        for (int record : records) {
            body.append(batch.array(), batch.begin(record), batch.end(record));
        }
    }

    @Override
    public void writeEmpty(LineBuffer body) {
        // No line at all.
    }

    @Override
    public void answered(SinkBatch batch, int[] records, byte[] answer) {
        for (int record : records) {
            batch.accept(record);
        }
    }
}
