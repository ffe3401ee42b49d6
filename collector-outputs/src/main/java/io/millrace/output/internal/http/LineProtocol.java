package io.millrace.output.internal.http;

import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.sink.SinkBatch;
import org.jspecify.annotations.Nullable;

/** One line per record, and one status for the whole request. */
public final class LineProtocol implements HttpProtocol {
    /** The content type of lines. */
    public static final String CONTENT_TYPE = "application/x-ndjson";

    private final LineFormat format;

    /** Creates the protocol for lines of a format. */
    public LineProtocol(LineFormat format) {
        this.format = format;
    }

    /** Any server may take lines. */
    @Override
    public boolean isKnown() {
        return false;
    }

    @Override
    public String contentType() {
        return CONTENT_TYPE;
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer out) {
        line(format, record, out);
        return null;
    }

    /** Appends a record and ensures that it is one line. */
    public static void line(LineFormat format, LogRecord record, LineBuffer out) {
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
}
