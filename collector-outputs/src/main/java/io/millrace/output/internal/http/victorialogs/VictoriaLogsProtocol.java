package io.millrace.output.internal.http.victorialogs;

import io.millrace.internal.format.JsonFormat;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpVerdict;
import io.millrace.output.internal.http.LineProtocol;
import io.millrace.sink.Refusal;
import io.millrace.sink.RefusedException;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * JSON lines to <a href="https://docs.victoriametrics.com/victorialogs/data-ingestion/">VictoriaLogs</a>, which answers with success whatever it stores:
 * it leaves out lines that are too long or have too many fields. So such lines are not sent.
 */
public final class VictoriaLogsProtocol implements HttpProtocol {
    /** The path of the interface. */
    public static final String PATH = "/insert/jsonline";

    /** The default of {@code -insert.maxLineSizeBytes}. */
    private static final int MAX_LINE = 256 << 10;

    /** Half of the fields that an entry may have. */
    private static final int MANY_FIELDS = 1_000;

    /** What so many fields take at least. */
    private static final int MANY_FIELDS_BYTES = 5 * MANY_FIELDS;

    private final LineFormat format;
    private final JsonFormat flat = JsonFormat.flat();

    /** Creates the protocol for lines of a format, which is JSON. */
    public VictoriaLogsProtocol(LineFormat format) {
        this.format = format;
    }

    @Override
    public String contentType() {
        return LineProtocol.CONTENT_TYPE;
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer out) {
        int begin = out.length();
        format.write(record, out);
        if (out.length() - begin > MANY_FIELDS_BYTES && names(out, begin) > MANY_FIELDS) {
            out.end(begin);
            flat.write(record, out);
        }
        if (out.length() - begin > MAX_LINE) {
            throw new RefusedException(
                    Refusal.TOO_LONG,
                    "its line has " + (out.length() - begin) + " bytes, and VictoriaLogs accepts " + MAX_LINE);
        }
        return null;
    }

    /** The most names that a line of JSON can have. */
    private static int names(LineBuffer line, int begin) {
        byte[] b = line.array();
        int count = 0;
        for (int i = begin + 1; i < line.length(); i++) {
            count += b[i] == ':' && b[i - 1] == '"' ? 1 : 0;
        }
        return count;
    }

    @Override
    public void write(SinkBatch batch, int[] records, LineBuffer body) {
        for (int record : records) {
            body.append(batch.array(), batch.begin(record), batch.end(record));
        }
    }

    @Override
    public void writeEmpty(LineBuffer body) {
        // No lines.
    }

    @Override
    public boolean isAnswerToNothing(HttpAnswer answer) {
        return answer.isSuccess() && !answer.isPage();
    }

    @Override
    public HttpVerdict judge(HttpAnswer answer, int records) throws IOException {
        return HttpVerdict.byStatusOf("VictoriaLogs", answer);
    }
}
