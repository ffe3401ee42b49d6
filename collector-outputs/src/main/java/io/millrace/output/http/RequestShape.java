package io.millrace.output.http;

import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The form of requests and responses. One thread. */
interface RequestShape {
    /** The maximum length of a response that is only shown. */
    int MAX_TEXT_ANSWER = 8 << 10;

    /** See {@link io.millrace.sink.Sink#encode}. */
    @Nullable
    Object encode(LogRecord record, LineBuffer out);

    /** Appends the body of a request with some records of a batch, in order. */
    void write(SinkBatch batch, int[] records, LineBuffer body);

    /**
     * Appends the body of a request without records, to which a server that accepts such requests answers otherwise
     * than to invalid records.
     */
    void writeEmpty(LineBuffer body);

    /** The maximum length of a response about a number of records. */
    default int maxAnswer(int records) {
        return MAX_TEXT_ANSWER;
    }

    /** The number of records sent with fallback labels. Any thread. */
    default long renamed() {
        return 0;
    }

    /**
     * Handles a success response: accepts or rejects each record that need not be resent.
     *
     * @throws IOException if records must be resent, or the response is invalid
     */
    void answered(SinkBatch batch, int[] records, byte[] answer) throws IOException;
}
