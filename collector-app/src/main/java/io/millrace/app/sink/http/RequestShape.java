package io.millrace.app.sink.http;

import io.millrace.deliver.SinkBatch;
import io.millrace.format.LineBuffer;
import io.millrace.format.LogRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** How records become a request, and what an answer says about them. One thread. */
interface RequestShape {
    /** Of an answer that is for people. */
    int MAX_TEXT_ANSWER = 8 << 10;

    /** As {@link io.millrace.deliver.Sink#encode}. */
    @Nullable
    Object encode(LogRecord record, LineBuffer out);

    /** Appends the body of a request with some records of a batch, in their order. */
    void write(SinkBatch batch, int[] records, LineBuffer body);

    /** Appends the body of a request without records, which a server that takes such requests answers otherwise than one with bad records. */
    void writeEmpty(LineBuffer body);

    /** How many bytes of an answer about so many records are read. */
    default int maxAnswer(int records) {
        return MAX_TEXT_ANSWER;
    }

    /** How many records were sent under other labels than their own. Any thread. */
    default long renamed() {
        return 0;
    }

    /**
     * The request was answered with success: accepts or refuses each of its records that need not be sent again.
     *
     * @throws IOException if there are others, or the answer says something else
     */
    void answered(SinkBatch batch, int[] records, byte[] answer) throws IOException;
}
