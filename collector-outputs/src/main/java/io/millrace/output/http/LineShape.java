package io.millrace.output.http;

import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.sink.SinkBatch;
import org.jspecify.annotations.Nullable;

/** One line per record, and one status for the whole request. */
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

    /** Appends a record and ensures that it is one line. */
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
        // Removes an empty line.
    }

    @Override
    public void answered(SinkBatch batch, int[] records, byte[] answer) {
        for (int record : records) {
            batch.accept(record);
        }
    }
}
